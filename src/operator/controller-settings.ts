import type { Duration } from 'cdk8s';
import type { GlobalCredential } from './global-credential';
import type { SyncPeriod } from './sync-period';
import type { AzureEndpoints } from '../core/credentials/aso-credential';
import type { ReconcilePolicy } from '../core/reconcile-policy';

/** The service account token for credentials with workload identity in a namespace. */
export enum WorkloadIdentityMode {
  /** The controller's token: every author of objects in a namespace can name any identity that trusts the controller. */
  RELAXED = 'relaxed',
  /** The token of the namespace's service account `aso-workload`: the identity must trust that namespace itself. */
  STRICT = 'strict',
}

/** How the controller reads the Azure resources once in each sync period to detect drift. */
export enum DriftDetection {
  /**
   * One request reads many resources (a query of Azure Resource Graph, or the list of a collection). The controller reads a single resource
   * if it has changed, if the batch answer leaves that open, and once in each `fullReadPeriod`.
   */
  BATCH = 'batch',
  /** One request per resource: objects × 60 / minutes of the sync period is the number of requests per hour. */
  INDIVIDUAL = 'individual',
}

/**
 * A token bucket for the reconciles of each kind.
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/#rate_limit_mode
 */
export interface ReconcileRateLimit {
  /**
   * Reconciles per second, more than zero.
   * @default 5
   */
  readonly perSecond?: number;
  /**
   * Burst of reconciles, at least 1.
   * @default 100
   */
  readonly bucketSize?: number;
}

/**
 * The settings of the controller. This construct writes them to the Secret `aso-controller-settings`, without secret values. A changed
 * setting replaces the pods.
 *
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/
 */
export interface ControllerSettings {
  /**
   * The global credential, for objects whose namespace has no credential.
   * @default - none: every object needs a credential of its own or of its namespace
   */
  readonly credential?: GlobalCredential;
  /**
   * Further tenants for which the controller may request tokens, UUIDs (`AZURE_ADDITIONAL_TENANTS`).
   * @default - none
   */
  readonly additionalTenants?: string[];
  /**
   * The endpoints of the Azure cloud.
   * @default - the public cloud
   */
  readonly endpoints?: AzureEndpoints;
  /**
   * Whether a namespace's credential may name a cloud of its own (`ALLOW_MULTI_ENV_MANAGEMENT`). To a cloud that is neither one of Azure's
   * nor the controller's own, the controller sends only the secret or certificate of that same Secret, never a token of the controller.
   * @default false
   */
  readonly allowMultipleClouds?: boolean;
  /**
   * The namespaces whose objects, Secrets and ConfigMaps the controller watches (`AZURE_TARGET_NAMESPACES`). The controller then gets Roles
   * in these namespaces, which must exist, instead of a ClusterRole.
   * @default - all
   */
  readonly targetNamespaces?: string[];
  /**
   * Interval at which the controller compares an object in sync with Azure again (`AZURE_SYNC_PERIOD`).
   * @default - one hour
   */
  readonly syncPeriod?: SyncPeriod;
  /**
   * How the controller reads Azure resources to detect drift (`DRIFT_DETECTION`).
   * @default DriftDetection.BATCH
   */
  readonly driftDetection?: DriftDetection;
  /**
   * With `DriftDetection.BATCH`: the longest time between two reads of a single resource, because batch answers do not contain every
   * property (`FULL_READ_PERIOD`). Whole seconds, at least one. A value below the sync period has the effect of the sync period.
   * @default - 24 hours
   */
  readonly fullReadPeriod?: Duration;
  /**
   * Whether requests wait in the controller until the request limits of Azure Resource Manager have room for them (`ARM_REQUEST_BUDGET`).
   * Changed objects go first, namespaces take turns. If false, requests are sent at once, and Azure throttles the excess.
   * @default true
   * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
   */
  readonly requestBudget?: boolean;
  /**
   * Suffix of the User-Agent of requests to Azure (`AZURE_USER_AGENT_SUFFIX`).
   * @default - none
   */
  readonly userAgentSuffix?: string;
  /**
   * Concurrent reconciles per kind, at least 1 (`MAX_CONCURRENT_RECONCILES`).
   * @default - 128, of 256 over all kinds
   */
  readonly maxConcurrentReconciles?: number;
  /**
   * Rate limit of reconciles (`RATE_LIMIT_MODE`, `RATE_LIMIT_QPS`, `RATE_LIMIT_BUCKET_SIZE`).
   * @default - no limit
   */
  readonly rateLimit?: ReconcileRateLimit;
  /**
   * The reconcile policy of objects that have none, in namespaces that have none (`DEFAULT_RECONCILE_POLICY`).
   * @default ReconcilePolicy.MANAGE
   */
  readonly defaultReconcilePolicy?: ReconcilePolicy;
  /**
   * The service account token for credentials with workload identity in a namespace (`AZURE_WORKLOAD_IDENTITY_AUTH_MODE`).
   * @default WorkloadIdentityMode.RELAXED
   */
  readonly workloadIdentityMode?: WorkloadIdentityMode;
  /**
   * Whether a finalizer keeps the Secret of a credential until the last object that uses it is deleted (`PROTECT_CREDENTIALS`).
   * @default true
   */
  readonly protectCredentials?: boolean;
  /**
   * Whether the controller manages users inside database servers, over the servers' own protocols (`DATABASE_USERS`).
   * @default true
   */
  readonly databaseUsers?: boolean;
}
