import type { HttpClient } from '@azure/core-rest-pipeline';
import type { Clock } from '../../engine/clock';
import type { LoadIdentity } from '../../engine/credentials/token-credential';
import type { ObjectExpressions } from '../../engine/export';
import type { ReflectorTiming } from '../../engine/informers';
import type { RestClient } from '../../engine/kubernetes';
import type { JobRunner } from '../../engine/workers/worker-pool';
import type { Logger } from '../../runtime/log/log';
import type { Ownership } from '../../runtime/shards/ownership';
import type { Catalog } from '../../src/catalog';
import type { Metrics } from '../metrics';
import type { ProcessHistory } from '../page/process-history';
import type { ReconcileReport } from '../reconcile/reconciler-options';
import type { Environment, Settings } from '../settings';

export interface WatchersOptions {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly client: RestClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. Default: the clock, for time that is simulated. */
  readonly elapsed?: (() => number) | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where certificates of Secrets are read. Default: in this thread. */
  readonly jobs?: JobRunner;
  /** Where expressions are compiled and evaluated. Default: in this thread. */
  readonly expressions?: ObjectExpressions;
  readonly version: string;
  readonly httpClient?: HttpClient;
  readonly delayScale?: number;
  /** For simulations: of Azure's request limits alone. Default: `delayScale`. */
  readonly limitScale?: number;
  /** For simulations: of the informers. */
  readonly timing?: Partial<ReflectorTiming>;
  /** For simulations: in the place of the identity library. */
  readonly loadIdentity?: LoadIdentity;
  /** As a CRD pattern; empty: all. */
  readonly kinds?: string;
  /** Requests and events, for the page. */
  readonly history?: ProcessHistory | undefined;
  readonly onReconcile?: (report: ReconcileReport) => void;
  /** Whether this process may change anything in Azure now. */
  readonly mayWrite: () => boolean;
  /** The part of the cluster that this replica looks after. Default: all of it. */
  readonly ownership?: Ownership | undefined;
  /** Called with the namespaces that are to be split by owner tree, whenever they change. */
  readonly onSplit?: (namespaces: readonly string[]) => void;
}
