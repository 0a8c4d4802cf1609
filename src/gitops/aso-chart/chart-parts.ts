/** The credential for namespaces without one of their own. */
export interface AsoGlobalCredential {
  /** The Entra tenant, a UUID. */
  readonly tenantId: string;
  /** The subscription, a UUID. */
  readonly subscriptionId: string;
  /** Client id of the identity that trusts the operator's service account, a UUID. */
  readonly clientId: string;
}

/**
 * The part of the work that the pods do.
 * @see https://azure.github.io/azure-service-operator/guide/authentication/multitenant-deployment/
 */
export enum AsoChartMode {
  /** The pods reconcile objects and serve the webhooks. */
  ALL = 'watchers-and-webhooks',
  /** The pods serve the webhooks and install CRDs, for the `WATCHERS` of all tenants. */
  WEBHOOKS = 'webhooks',
  /** The pods reconcile the objects of one tenant's namespaces. One installation with `WEBHOOKS` has to be in the cluster. */
  WATCHERS = 'watchers',
}

/** The nodes of the pods, in Azure Kubernetes Service. */
export enum AsoNodePool {
  /** Any node. */
  ANY = 'any',
  /** The system node pool if it has room, else any node. Good for other clusters, too. */
  SYSTEM_PREFERRED = 'system-preferred',
  /** Only the system node pool: nodes with the label `kubernetes.azure.com/mode: system`. */
  SYSTEM_REQUIRED = 'system-required',
}

/** The endpoints of a cloud other than Azure's public one. Give all three. */
export interface AsoCloudEndpoints {
  /** URL of Entra, e.g. `https://login.microsoftonline.us/`. */
  readonly authorityHost: string;
  /** URL of Azure Resource Manager, e.g. `https://management.usgovcloudapi.net`. */
  readonly resourceManagerEndpoint: string;
  /** Audience of tokens for it, e.g. `https://management.core.usgovcloudapi.net/`. */
  readonly resourceManagerAudience: string;
}

/**
 * A limit for the number of reconciles: a token bucket for all kinds together.
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/#rate_limit_mode
 */
export interface AsoRateLimit {
  /**
   * Reconciles per second.
   * @default 5
   */
  readonly qps?: number;
  /**
   * The number of reconciles that may come at once.
   * @default 100
   */
  readonly bucketSize?: number;
}

/** Where the pods serve webhooks. */
export interface AsoChartWebhook {
  /**
   * Port of the container.
   * @default 9443
   */
  readonly port?: number;
  /**
   * Directory of the certificate in the container.
   * @default /tmp/k8s-webhook-server/serving-certs
   */
  readonly certDir?: string;
}

/** The metrics of the pods. */
export interface AsoChartMetrics {
  /**
   * Whether there are metrics.
   * @default true
   */
  readonly enable?: boolean;
  /**
   * Whether they need HTTPS and a token that may read them.
   * @default true
   */
  readonly secure?: boolean;
  /**
   * Whether profiles are served, too. They have what the process has in its memory, so only with `secure`.
   * @default false
   */
  readonly profiling?: boolean;
  /**
   * Port.
   * @default 8443
   */
  readonly port?: number;
  /**
   * Address to listen on.
   * @default - `0.0.0.0:<port>`
   */
  readonly address?: string;
}

/** The image of the operator. */
export interface AsoChartImage {
  /**
   * Registry and repository without tag, e.g. of a mirror.
   * @default mcr.microsoft.com/k8s/azureserviceoperator
   */
  readonly repositoryBase?: string;
  /**
   * Tag.
   * @default - the release of the chart
   */
  readonly tag?: string;
  /**
   * The whole image, with tag or digest. Not together with `repositoryBase` or `tag`.
   * @default - repositoryBase and tag
   */
  readonly repository?: string;
  /**
   * Secrets of type `kubernetes.io/dockerconfigjson` with which the image is pulled.
   * @default - none
   */
  readonly pullSecrets?: string[];
}

/** Requests and limits of the container, as quantities of Kubernetes: `500m`, `512Mi`. */
export interface AsoChartResources {
  /**
   * CPU that is reserved.
   * @default 200m
   */
  readonly cpuRequest?: string;
  /**
   * The most CPU.
   * @default 500m
   */
  readonly cpuLimit?: string;
  /**
   * Memory that is reserved.
   * @default 256Mi
   */
  readonly memoryRequest?: string;
  /**
   * The most memory. Go's own limit (`GOMEMLIMIT`) becomes four fifths of it, unless `goMemoryLimit` is given.
   * @default 512Mi
   */
  readonly memoryLimit?: string;
}

/** How many pods may be missing while nodes are drained. */
export interface AsoChartDisruptionBudget {
  /**
   * Whether there is a budget.
   * @default - true with two or more replicas; with one, no node could be drained
   */
  readonly enabled?: boolean;
  /**
   * The number or percentage of pods that stay.
   * @default 50%
   */
  readonly minAvailable?: string;
}

/** The service account of the pods. */
export interface AsoChartServiceAccount {
  /**
   * Whether the chart creates it.
   * @default true
   */
  readonly create?: boolean;
  /**
   * Its name. The federated credential of an identity names it.
   * @default azureserviceoperator-default
   */
  readonly name?: string;
  /**
   * Annotations.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** The connections of the pods that network policies allow. Ranges are in CIDR notation. */
export interface AsoChartNetworkPolicies {
  /**
   * Whether there are network policies.
   * @default true
   */
  readonly enable?: boolean;
  /**
   * Port of the Kubernetes API.
   * @default 6443
   */
  readonly kubernetesApiPort?: number;
  /**
   * Addresses of the Kubernetes API.
   * @default 0.0.0.0/0
   */
  readonly kubernetesApiCidr?: string;
  /**
   * Addresses of MySQL servers whose users are managed.
   * @default 0.0.0.0/0
   */
  readonly mysqlCidr?: string;
  /**
   * Addresses of PostgreSQL servers whose users are managed.
   * @default 0.0.0.0/0
   */
  readonly postgresqlCidr?: string;
  /**
   * Addresses of Azure SQL servers whose users are managed.
   * @default 0.0.0.0/0
   */
  readonly sqlCidr?: string;
}
