import type { Duration } from 'cdk8s';
import type { GlobalCredential } from './global-credential';
import type { SyncPeriod } from './sync-period';
import type { AzureEndpoints } from '../core/credentials/aso-credential';
import type { ReconcilePolicy } from '../core/reconcile-policy';

/** Whose token a namespace's credential with workload identity is exchanged for. */
export enum WorkloadIdentityMode {
  /** The controller's: whoever may make objects in a namespace can name any identity that trusts the controller. */
  RELAXED = 'relaxed',
  /** That of the service account `aso-workload` of the namespace: an identity has to trust the namespace itself. */
  STRICT = 'strict',
}

/** How the controller looks at what it has made, once in each sync period, without being told of a change. */
export enum DriftDetection {
  /**
   * Many resources in one request (a query of Azure Resource Graph, or the list of a collection); one is read by itself where something has
   * changed, where nobody can tell, and once in each `fullReadPeriod`.
   */
  BATCH = 'batch',
  /** Each resource by itself: objects × 60 / minutes of the sync period is the number of requests an hour. */
  INDIVIDUAL = 'individual',
}

/**
 * A token bucket for the reconciles of each kind.
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/#rate_limit_mode
 */
export interface PassRateLimit {
  /**
   * Passes a second, more than zero.
   * @default 5
   */
  readonly perSecond?: number;
  /**
   * Passes that may come at once, at least 1.
   * @default 100
   */
  readonly bucketSize?: number;
}

/**
 * The settings of the controller. They stand in the Secret `aso-controller-settings`, which holds no secret values; a change of one
 * replaces the pods.
 *
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/
 */
export interface ControllerSettings {
  /**
   * The credential for objects whose namespace has none.
   * @default - none: every object needs a credential of its own or of its namespace
   */
  readonly credential?: GlobalCredential;
  /**
   * Further tenants for which tokens may be asked, UUIDs (`AZURE_ADDITIONAL_TENANTS`).
   * @default - none
   */
  readonly additionalTenants?: string[];
  /**
   * The cloud.
   * @default - the public one
   */
  readonly endpoints?: AzureEndpoints;
  /**
   * Whether a namespace's credential may name a cloud of its own (`ALLOW_MULTI_ENV_MANAGEMENT`). Unless the cloud is one of Azure's or the
   * controller's own, only a secret or a certificate of that same Secret is sent there, never a token of the controller.
   * @default false
   */
  readonly allowMultipleClouds?: boolean;
  /**
   * The namespaces whose objects, Secrets and ConfigMaps are watched (`AZURE_TARGET_NAMESPACES`). The controller then gets Roles in these
   * namespaces, which have to exist, instead of rights in all of them.
   * @default - all
   */
  readonly targetNamespaces?: string[];
  /**
   * How often an object that is in sync is compared with Azure again (`AZURE_SYNC_PERIOD`).
   * @default - an hour
   */
  readonly syncPeriod?: SyncPeriod;
  /**
   * How that is done (`DRIFT_DETECTION`).
   * @default DriftDetection.BATCH
   */
  readonly driftDetection?: DriftDetection;
  /**
   * With `DriftDetection.BATCH`: each resource is read by itself at least this often, because the answers about many do not show every
   * property (`FULL_READ_PERIOD`). Whole seconds, at least one. No more often than the sync period, in which a resource is looked at at all.
   * @default - 24 hours
   */
  readonly fullReadPeriod?: Duration;
  /**
   * Whether requests wait in the controller, what has changed first and namespaces in turn, until the request limits of Azure Resource
   * Manager have room for them (`ARM_REQUEST_BUDGET`). Without it they are sent as they come, and Azure refuses what is too much.
   * @default true
   * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
   */
  readonly requestBudget?: boolean;
  /**
   * Appended to the User-Agent of requests to Azure (`AZURE_USER_AGENT_SUFFIX`).
   * @default - nothing
   */
  readonly userAgentSuffix?: string;
  /**
   * Passes of one kind that run at a time, at least 1 (`MAX_CONCURRENT_RECONCILES`).
   * @default - 128, of 256 in all
   */
  readonly maxConcurrentReconciles?: number;
  /**
   * At most so many reconciles (`RATE_LIMIT_MODE`, `RATE_LIMIT_QPS`, `RATE_LIMIT_BUCKET_SIZE`).
   * @default - no limit
   */
  readonly rateLimit?: PassRateLimit;
  /**
   * What holds for objects without a policy of their own or of their namespace (`DEFAULT_RECONCILE_POLICY`).
   * @default ReconcilePolicy.MANAGE
   */
  readonly defaultReconcilePolicy?: ReconcilePolicy;
  /**
   * Whose token a namespace's credential with workload identity is exchanged for (`AZURE_WORKLOAD_IDENTITY_AUTH_MODE`).
   * @default WorkloadIdentityMode.RELAXED
   */
  readonly workloadIdentityMode?: WorkloadIdentityMode;
  /**
   * Whether the Secret of a credential is kept until the last object that uses it is gone (`PROTECT_CREDENTIALS`).
   * @default true
   */
  readonly protectCredentials?: boolean;
  /**
   * Whether users inside database servers are managed, over the servers' own protocols (`DATABASE_USERS`).
   * @default true
   */
  readonly databaseUsers?: boolean;
}
