import type {
  AsoChartDisruptionBudget, AsoChartImage, AsoChartMetrics, AsoChartMode, AsoChartNetworkPolicies, AsoChartResources,
  AsoChartServiceAccount, AsoChartWebhook, AsoCloudEndpoints, AsoGlobalCredential, AsoNodePool, AsoRateLimit,
} from './chart-parts';
import type { CrdPattern } from '../crd-pattern';

/**
 * The chart of Azure Service Operator and its values.
 * @see https://github.com/Azure/azure-service-operator/blob/main/v2/charts/azure-service-operator/values.yaml
 */
export interface AsoChartProps {
  /** Version of the chart, e.g. `2.13.0`. */
  readonly version: string;
  /**
   * Which CRDs are installed, e.g. `CrdPattern.kindsIn(app)`. Each takes 13 MB of the API server's memory, so there is no pattern for all.
   * @default - required, unless the mode is `WATCHERS`
   */
  readonly crdPattern?: CrdPattern;
  /**
   * Labels of the CRDs. For charts newer than 2.20.0.
   * @default - none
   */
  readonly crdLabels?: { [key: string]: string };
  /**
   * Whether the operator installs and upgrades CRDs.
   * @default - true, unless the mode is `WATCHERS`
   */
  readonly installCrds?: boolean;
  /**
   * The part of the work that the pods do.
   * @default AsoChartMode.ALL
   */
  readonly mode?: AsoChartMode;
  /**
   * Namespaces whose objects are reconciled.
   * @default - all; required in the mode `WATCHERS`, whose installations must not overlap
   */
  readonly targetNamespaces?: string[];
  /**
   * The credential for namespaces without one of their own: an identity that trusts the operator's service account.
   * @default - none: objects in a namespace without a credential are not reconciled
   */
  readonly credential?: AsoGlobalCredential;
  /**
   * Tenants other than the credential's in which tokens are valid.
   * @default - none
   */
  readonly additionalTenants?: string[];
  /**
   * Whether the chart writes the Secret `aso-controller-settings`. Without it you write the Secret yourself, e.g. for settings that the
   * chart does not have, or a client secret; credential, tenants, period and the like are then keys of that Secret.
   * @default true
   */
  readonly createSettingsSecret?: boolean;
  /**
   * Interval after which an object in sync is compared with Azure again, e.g. `15m`, or `never`.
   * @default 1h
   */
  readonly syncPeriod?: string;
  /**
   * A text at the end of the header `User-Agent`.
   * @default - none
   */
  readonly userAgentSuffix?: string;
  /**
   * Endpoints of a cloud other than Azure's public one.
   * @default - the public cloud
   */
  readonly cloud?: AsoCloudEndpoints;
  /**
   * Whether credentials of namespaces may name endpoints of other clouds.
   * @default false
   */
  readonly allowMultipleClouds?: boolean;
  /**
   * The number of objects of a kind that are reconciled at the same time.
   * @default 4
   */
  readonly maxConcurrentReconciles?: number;
  /**
   * A limit for the number of reconciles.
   * @default - none
   */
  readonly rateLimit?: AsoRateLimit;
  /**
   * ARM id of an identity for AAD Pod Identity, which Azure has ended.
   * @default - workload identity
   */
  readonly podIdentityResourceId?: string;
  /**
   * The nodes of the pods. Node pools of Azure Kubernetes Service that are for system pods have the taint `CriticalAddonsOnly`, which is
   * tolerated, unless any node will do.
   * @default AsoNodePool.ANY
   */
  readonly nodePool?: AsoNodePool;
  /**
   * Labels that nodes must have, in addition to `kubernetes.io/os: linux`.
   * @default - none
   */
  readonly nodeSelector?: { [key: string]: string };
  /**
   * Taints that the pods tolerate, as in a pod.
   * @default - none
   */
  readonly tolerations?: { [key: string]: any }[];
  /**
   * Affinity of the pods, as in a pod. That of `nodePool` is added.
   * @default - none
   */
  readonly affinity?: { [key: string]: any };
  /**
   * Name of the PriorityClass.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * The number of pods. One of them reconciles; all serve webhooks.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * How many pods may be missing while nodes are drained.
   * @default - half of them
   */
  readonly disruptionBudget?: AsoChartDisruptionBudget;
  /**
   * Requests and limits of the container.
   * @default - 200m to 500m CPU, 256Mi to 512Mi memory
   */
  readonly resources?: AsoChartResources;
  /**
   * The memory at which Go collects garbage more often, e.g. `400MiB`.
   * @default - four fifths of the memory limit, if that is given; else 400MiB
   */
  readonly goMemoryLimit?: string;
  /**
   * The number of former ReplicaSets that are kept.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;
  /**
   * The service account of the pods.
   * @default - the chart creates `azureserviceoperator-default`
   */
  readonly serviceAccount?: AsoChartServiceAccount;
  /**
   * The image.
   * @default - Microsoft's, of the chart's release
   */
  readonly image?: AsoChartImage;
  /**
   * Where the pods serve webhooks.
   * @default - port 9443
   */
  readonly webhook?: AsoChartWebhook;
  /**
   * The metrics of the pods.
   * @default - HTTPS on port 8443
   */
  readonly metrics?: AsoChartMetrics;
  /**
   * Whether log lines are JSON.
   * @default false
   */
  readonly jsonLogging?: boolean;
  /**
   * The connections that network policies allow.
   * @default - HTTPS, the Kubernetes API, databases
   */
  readonly networkPolicies?: AsoChartNetworkPolicies;
  /**
   * Security context of the container, as in a pod.
   * @default - no privileges, read-only root
   */
  readonly securityContext?: { [key: string]: any };
  /**
   * Security context of the pods, as in a pod.
   * @default - none
   */
  readonly podSecurityContext?: { [key: string]: any };
  /**
   * Labels of the pods, beside the chart's own.
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };
  /**
   * Annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };
  /**
   * Annotations of the Deployment.
   * @default - none
   */
  readonly deploymentAnnotations?: { [key: string]: string };
  /**
   * Environment variables of the container, by name. For texts; no secrets.
   * @default - none
   */
  readonly environment?: { [name: string]: string };
  /**
   * Further values of the chart. They win over all others.
   * @default - none
   */
  readonly values?: { [key: string]: any };
}
