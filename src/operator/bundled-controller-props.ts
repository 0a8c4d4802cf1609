import type { Size } from 'cdk8s';
import type { Cpu, k8s } from 'cdk8s-plus-27';
import type { ControllerKinds } from './controller-kinds';
import type { ControllerSettings } from './controller-settings';
import type { OperatorMode } from './operator-mode';
import type { Webhooks } from './webhooks';

/** Where the CRDs come from. */
export enum CrdInstallation {
  /** They are a part of the manifests: just the kinds and versions in use. The controller may not write CRDs. */
  MANIFESTS = 'manifests',
  /** The controller installs them at its start, in all versions, and migrates stored versions (`--crd-management auto`). */
  CONTROLLER = 'controller',
  /** Somebody else installs them. */
  NONE = 'none',
}

/** Whether the pods run on the nodes that AKS keeps for what the cluster itself needs (label `kubernetes.azure.com/mode: system`). */
export enum SystemNodePool {
  /** Anywhere. */
  IGNORED = 'ignored',
  /** There, if there is room. */
  PREFERRED = 'preferred',
  /** Only there. */
  REQUIRED = 'required',
}

/** How much the container asks for, and how much it gets at most. */
export interface ControllerResources {
  /**
   * CPU that is set aside.
   * @default - 200 millis
   */
  readonly cpuRequest?: Cpu;
  /**
   * CPU at most.
   * @default - 1 unit
   */
  readonly cpuLimit?: Cpu;
  /**
   * Memory that is set aside.
   * @default - 256 MiB
   */
  readonly memoryRequest?: Size;
  /**
   * Memory at most. Three quarters of it are for JavaScript objects (`--max-old-space-size`);
   * 256 MiB are enough for 5,000 objects. `NODE_OPTIONS` in `environment` takes the place of what is set here.
   * @default - 512 MiB
   */
  readonly memoryLimit?: Size;
}

/** What is served at `/metrics`, port 8443. */
export interface ControllerMetrics {
  /**
   * Whether metrics are served.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * HTTPS, and only for those who may `get` the nonResourceURL `/metrics`. A ClusterRole `azureserviceoperator-metrics-reader` is made, to be
   * bound to the scraper's service account.
   * @default true
   */
  readonly secure?: boolean;
  /**
   * Profiles at `/debug/pprof/` beside the metrics; secure only.
   * @default false
   */
  readonly profiling?: boolean;
  /**
   * Whether a ServiceMonitor of the Prometheus Operator is made, which has to be installed.
   * @default false
   */
  readonly serviceMonitor?: boolean;
}

/** Which connections a NetworkPolicy allows. */
export interface ControllerNetwork {
  /**
   * Whether NetworkPolicies are made.
   * @default true
   */
  readonly policies?: boolean;
  /**
   * Port of the API server, besides 443.
   * @default 6443
   */
  readonly apiServerPort?: number;
  /**
   * Addresses of the API server, CIDR.
   * @default 0.0.0.0/0
   */
  readonly apiServerCidr?: string;
  /**
   * Addresses from which the API server calls the webhooks, CIDRs: of the control plane's nodes, or of what it comes through (konnectivity or
   * tunnel pods, on AKS the nodes' subnet). Nothing else reaches the port then.
   * @default - any address: a NetworkPolicy cannot name the API server, and the port itself bounds what it takes
   */
  readonly webhookClientCidrs?: string[];
}

/** How the controller is installed. */
export interface BundledControllerProps {
  /**
   * The image, with a tag or digest: what `docker build` makes of the Dockerfile of this package, in a registry of yours.
   */
  readonly image: string;
  /**
   * The kinds that it is for.
   * @default ControllerKinds.inApp()
   */
  readonly kinds?: ControllerKinds;
  /**
   * The namespace.
   * @default azureserviceoperator-system
   */
  readonly namespace?: string;
  /**
   * Whether the Namespace object is a part of the manifests.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Which half of the controller runs.
   * @default OperatorMode.ALL
   */
  readonly mode?: OperatorMode;
  /**
   * The settings.
   * @default - the controller's own defaults, and no global credential
   */
  readonly settings?: ControllerSettings;
  /**
   * Whether the controller gets the rights to propagate the ids of identities to other namespaces: to delete Secrets and ConfigMaps (those that it
   * has written), and to list, watch and patch service accounts.
   * @default - what the annotations `aso.cdk8s.io/propagate-credentials-to` of the app need
   */
  readonly credentialPropagation?: boolean;
  /**
   * Webhooks and their certificate.
   * @default - Webhooks.ownCertificate(); with OperatorMode.WATCHERS none
   */
  readonly webhooks?: Webhooks;
  /**
   * Where the CRDs come from.
   * @default - CrdInstallation.MANIFESTS; with OperatorMode.WATCHERS none
   */
  readonly crds?: CrdInstallation;
  /**
   * More labels of the CRDs.
   * @default - none
   */
  readonly crdLabels?: Record<string, string>;
  /**
   * Whether the roles `view`, `edit` and `admin` of Kubernetes get rights on the kinds. `edit` does not write the kinds that change who may do
   * what (role assignments, federated credentials, groups, users of databases, vaults …), `admin` does: the controller acts with its own
   * credential for whoever makes such an object. https://cdk8s-aso.github.io/cdk8s-aso/guard-rails lists them.
   * @default true
   */
  readonly userRoles?: boolean;
  /**
   * For clusters with the admission plugin OwnerReferencesPermissionEnforcement (OpenShift): who writes owner references needs the right to
   * delete the object. The controller never deletes one.
   * @default false
   */
  readonly ownerReferencesPermissionEnforcement?: boolean;
  /**
   * Pods. One of them reconciles, the others wait and serve webhooks.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Name of the service account.
   * @default azureserviceoperator-default
   */
  readonly serviceAccountName?: string;
  /**
   * Annotations of the service account.
   * @default - none
   */
  readonly serviceAccountAnnotations?: Record<string, string>;
  /**
   * When the image is pulled: `IfNotPresent`, `Always`, `Never`.
   * @default IfNotPresent
   */
  readonly imagePullPolicy?: string;
  /**
   * Names of Secrets with the registry's credentials.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * CPU and memory.
   * @default - see ControllerResources
   */
  readonly resources?: ControllerResources;
  /**
   * Metrics.
   * @default - over HTTPS, for whom the cluster allows it
   */
  readonly metrics?: ControllerMetrics;
  /**
   * Network policies.
   * @default - see ControllerNetwork
   */
  readonly network?: ControllerNetwork;
  /**
   * How much is logged: 0 errors, 1 warnings, 2 a line a reconcile, 3 everything.
   * @default 2
   */
  readonly verbosity?: number;
  /**
   * A line of JSON an entry.
   * @default false
   */
  readonly jsonLogging?: boolean;
  /**
   * Whether a PodDisruptionBudget keeps half of the pods.
   * @default - true with two replicas or more
   */
  readonly disruptionBudget?: boolean;
  /**
   * The nodes that AKS keeps for what the cluster itself needs.
   * @default SystemNodePool.IGNORED
   */
  readonly systemNodePool?: SystemNodePool;
  /**
   * Labels that nodes must have, besides `kubernetes.io/os: linux`.
   * @default - none
   */
  readonly nodeSelector?: Record<string, string>;
  /**
   * Taints that the pods tolerate.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Affinities of the pods. That of `systemNodePool` is added.
   * @default - none
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Name of the PriorityClass.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * More environment variables, proxies for example. No secrets, and none of the settings.
   * @default - none
   */
  readonly environment?: Record<string, string>;
  /**
   * More labels of the Deployment and its pods.
   * @default - none
   */
  readonly labels?: Record<string, string>;
  /**
   * Annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: Record<string, string>;
  /**
   * Old ReplicaSets that are kept.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;
}
