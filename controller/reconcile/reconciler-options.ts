import type { Access } from './access';
import type { Exporter } from './actions';
import type { Cluster } from './cluster';
import type { Result } from './core/observed';
import type { CredentialGuard } from './credential-guard';
import type { Dependencies } from './dependencies';
import type { EventRecorder } from './event-recorder';
import type { Clock } from '../../engine/clock';
import type { CredentialSource } from '../../engine/credentials/types';
import type { ObjectExpressions } from '../../engine/export';
import type { ExternalKinds } from '../../engine/kinds/external';
import type { UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesClient, KubernetesListWatch, KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';
import type { ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import type { Budget } from '../budget';
import type { Priority } from '../work-queue';

export interface ReconcileReport {
  readonly key: ObjectKey;
  readonly object: KubernetesObject;
  readonly actions: readonly string[];
  readonly result: Result;
  /** With which it was picked. */
  readonly priority: Priority;
  /** Milliseconds. */
  readonly nextIn?: number;
}

export interface ReconcilerOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly credentials: CredentialSource;
  readonly exporter: Exporter;
  /** How expressions of objects are checked. Default: in this thread. */
  readonly expressions?: Pick<ObjectExpressions, 'engine' | 'prepare'>;
  /** Azure's request limits. Default: requests are sent as they come. */
  readonly budget?: Pick<Budget, 'clientFor' | 'forget'>;
  /** Code of the kinds that are not Azure Resource Manager's. Default: they are left alone. */
  readonly externals?: ExternalKinds;
  readonly dependencies: Dependencies;
  /** Keeps the credentials of those that are claimed. Default: nobody does. */
  readonly guard?: Pick<CredentialGuard, 'hold' | 'release'>;
  /** Who needs what an object gives. Default: nobody. */
  readonly access?: Pick<Access, 'neededBy'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly operatorNamespace: string;
  readonly controllerVersion: string;
  readonly defaultPolicy: ReconcilePolicy;
  /** Milliseconds; undefined is `never`. */
  readonly syncPeriod?: number;
  /** Bounds requeues that nobody gave a time for. */
  readonly rateLimit?: { readonly qps: number; readonly bucketSize: number };
  /** So many times faster come retries, and polls for which Azure gave no time: for a simulated Azure whose time is faster. Default 1. */
  readonly delayScale?: number;
  /** Told of every reconcile. */
  readonly onReconcile?: (report: ReconcileReport) => void;
  readonly onWarning?: (message: string, key: ObjectKey) => void;
  /** Told of every reconciliation that needs what is not known. */
  readonly onUnknown?: (error: UnknownStateError, key: ObjectKey) => void;
}
