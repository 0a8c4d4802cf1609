import type { Access } from './access';
import type { Cluster } from './cluster';
import type { Result } from './core/observed';
import type { CredentialGuard } from './credential-guard';
import type { Dependencies } from './dependencies';
import type { Exporter } from './exporter';
import type { Fence } from './fence';
import type { ForeignResources } from './foreign-resources';
import type { Clock } from '../../engine/clock';
import type { CredentialSource } from '../../engine/credentials/types';
import type { ObjectExpressions } from '../../engine/export';
import type { ExternalKinds } from '../../engine/kinds/external';
import type { UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesClient, KubernetesListWatch, KubernetesObject } from '../../engine/kubernetes/types';
import type { ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import type { EventRecorder } from '../../runtime/events/event-recorder';
import type { Priority } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';
import type { Budget } from '../budget';

export interface ReconcileReport {
  readonly key: ObjectId;
  readonly object: KubernetesObject;
  readonly actions: readonly string[];
  readonly result: Result;
  /** The priority with which the object was picked. */
  readonly priority: Priority;
  /** Milliseconds until the next reconcile. */
  readonly nextIn?: number | undefined;
}

export interface ReconcilerOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly credentials: CredentialSource;
  readonly exporter: Exporter;
  /** Evaluates the objects' expressions. Default: in this thread. */
  readonly expressions?: Pick<ObjectExpressions, 'engine' | 'prepare'> | undefined;
  /** Azure's request limits. Default: requests are sent at once. */
  readonly budget?: Pick<Budget, 'clientFor' | 'forget'> | undefined;
  /** Implementations of the kinds outside of Azure Resource Manager. Default: these kinds are left alone. */
  readonly externals?: ExternalKinds;
  readonly dependencies: Dependencies;
  /** Keeps the credentials of claimed objects. Default: they are not kept. */
  readonly guard?: Pick<CredentialGuard, 'hold' | 'release'> | undefined;
  /** Finds the objects that need what another one provides. Default: none. */
  readonly access?: Pick<Access, 'neededBy'> & Partial<Pick<Access, 'prepare'>>;
  /** Finds the objects of a resource in namespaces that other replicas look after. Default: there are no such namespaces. */
  readonly foreignResources?: Pick<ForeignResources, 'prepare' | 'hasOther'> | undefined;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly operatorNamespace: string;
  readonly controllerVersion: string;
  readonly defaultPolicy: ReconcilePolicy;
  /** Milliseconds; undefined is `never`. */
  readonly syncPeriod?: number | undefined;
  /** Milliseconds from one confirmation of a Namespace or credential for new objects to the next. Default: `CONFIRMATION_INTERVAL`. */
  readonly confirmationInterval?: number;
  /** Limits requeues without a given delay. */
  readonly rateLimit?: { readonly qps: number; readonly bucketSize: number } | undefined;
  /** Factor by which retries, and polls without a `Retry-After`, come faster: for a simulated Azure with a faster clock. Default 1. */
  readonly delayScale?: number | undefined;
  /** Called before each request that changes something for an object. Default: this process looks after all objects. */
  readonly fence?: Fence | undefined;
  /** Called for every reconcile. */
  readonly onReconcile?: (report: ReconcileReport) => void;
  readonly onWarning?: (message: string, key: ObjectId) => void;
  /** Called for every reconcile that needs an unknown object. */
  readonly onUnknown?: (error: UnknownStateError, key: ObjectId) => void;
}
