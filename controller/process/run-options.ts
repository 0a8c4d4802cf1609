import type { HttpClient } from '@azure/core-rest-pipeline';
import type { EndpointOptions } from './endpoints';
import type { Clock } from '../../engine/clock';
import type { ClusterAccess } from '../../engine/kubernetes';
import type { Logger } from '../../runtime/log/log';
import type { ShardCount } from '../../runtime/shards/publication';
import type { Catalog } from '../../src/catalog';
import type { Environment } from '../settings';

export interface RunOptions extends EndpointOptions {
  /** Settings and credentials; default: the process's. */
  readonly environment?: Environment;
  /** Goes before `KUBECONFIG`. */
  readonly kubeconfig?: string;
  /** Instead of a kubeconfig. */
  readonly access?: ClusterAccess;
  /** Renews the Lease and answers probes on a thread of its own. Default: this thread does. */
  readonly supervisorThread?: { readonly module: URL; readonly verbosity: number; readonly json: boolean } | undefined;
  /** Only the process that holds the Lease reconciles. Default: false. */
  readonly enableLeaderElection?: boolean;
  /** How many replicas share the namespaces; `auto`: all of them. 1: one reconciles, the others wait. Default: 1. */
  readonly shards?: ShardCount;
  /** Default: `auto` where there is a pattern, else `none`. */
  readonly crdManagement?: 'auto' | 'none';
  readonly crdPattern?: string;
  readonly crdLabels?: string;
  /** Kinds to reconcile, as a CRD pattern: the others are not even read. Default: all that the cluster serves. */
  readonly kinds?: string;
  /** Where to serve webhooks; 0 is off. See `admission/start-admission.ts` for the default. */
  readonly webhookPort?: number;
  /** With `tls.crt` and `tls.key`; default: a certificate of our own. */
  readonly webhookCertDir?: string;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
  readonly version?: string;
  readonly clock?: Clock;
  readonly catalog?: Catalog;
  /** For tests and simulations: what sends the requests to Azure. */
  readonly httpClient?: HttpClient;
  /** So many times faster come retries, and polls for which Azure gave no time: for a simulated Azure. Default 1. */
  readonly delayScale?: number;
  /** How long running reconciles may take to end after the stop, in milliseconds. Default 8 s: the pod is killed after 10. */
  readonly gracePeriod?: number;
}
