import type { Size } from 'cdk8s';
import type { Cpu, k8s } from 'cdk8s-plus-27';
import type { ControllerKinds } from './controller-kinds';
import type { ControllerSettings } from './controller-settings';
import type { OperatorMode } from './operator-mode';
import type { Webhooks } from './webhooks';

/** The source of the CRDs. */
export enum CrdInstallation {
  /** The manifests contain the CRDs of the kinds and versions in use. The controller has no right to write CRDs. */
  MANIFESTS = 'manifests',
  /** The controller installs the CRDs at startup, in all versions, and migrates stored versions (`--crd-management auto`). */
  CONTROLLER = 'controller',
  /** The CRDs are installed by other means. */
  NONE = 'none',
}

/** Whether the pods run on the AKS system node pool (label `kubernetes.azure.com/mode: system`). */
export enum SystemNodePool {
  /** The pods run on any node. */
  IGNORED = 'ignored',
  /** The pods run on system nodes if these have capacity. */
  PREFERRED = 'preferred',
  /** The pods run only on system nodes. */
  REQUIRED = 'required',
}

/** Resource requests and limits of the container. */
export interface ControllerResources {
  /**
   * CPU request.
   * @default - 200 millis
   */
  readonly cpuRequest?: Cpu;
  /**
   * CPU limit.
   * @default - 1 unit
   */
  readonly cpuLimit?: Cpu;
  /**
   * Memory request.
   * @default - 256 MiB
   */
  readonly memoryRequest?: Size;
  /**
   * Memory limit. Three quarters of it are for JavaScript objects (`--max-old-space-size`);
   * 256 MiB are enough for 5,000 objects. `NODE_OPTIONS` in `environment` replaces the options that this construct sets.
   * @default - 512 MiB
   */
  readonly memoryLimit?: Size;
}

/** The metrics endpoint `/metrics` on port 8443. */
export interface ControllerMetrics {
  /**
   * Whether metrics are served.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Whether the endpoint uses HTTPS and requires the right to `get` the nonResourceURL `/metrics`. This construct creates a ClusterRole
   * `azureserviceoperator-metrics-reader` to bind to the scraper's service account.
   * @default true
   */
  readonly secure?: boolean;
  /**
   * Whether profiles are served at `/debug/pprof/` on the same port; requires `secure`.
   * @default false
   */
  readonly profiling?: boolean;
  /**
   * Whether to serve the page of the objects at `/ui/` beside the metrics, for those whom the cluster allows to `get` the nonResourceURL
   * `/ui`: bind the ClusterRole `azureserviceoperator-ui-reader`. Needs secure metrics.
   *
   * @default false
   */
  readonly ui?: boolean;

  /**
   * Whether to create a ServiceMonitor. The Prometheus Operator must be installed.
   * @default false
   */
  readonly serviceMonitor?: boolean;
}

/** The connections that the NetworkPolicies allow. */
export interface ControllerNetwork {
  /**
   * Whether to create NetworkPolicies.
   * @default true
   */
  readonly policies?: boolean;
  /**
   * Port of the API server, in addition to 443.
   * @default 6443
   */
  readonly apiServerPort?: number;
  /**
   * CIDR of the API server.
   * @default 0.0.0.0/0
   */
  readonly apiServerCidr?: string;
  /**
   * CIDRs from which the API server calls the webhooks: of the control plane's nodes, or of the proxies in between (konnectivity or
   * tunnel pods, on AKS the nodes' subnet). The policy denies all other addresses.
   * @default - any address: a NetworkPolicy cannot name the API server, and the webhook server limits the requests that it accepts
   */
  readonly webhookClientCidrs?: string[];
}

/** Properties of a `BundledController`. */
export interface BundledControllerProps {
  /**
   * The image with a tag or digest, built with `docker build` from this package's Dockerfile and pushed to a registry of yours.
   */
  readonly image: string;
  /**
   * The kinds that the controller manages.
   * @default ControllerKinds.inApp()
   */
  readonly kinds?: ControllerKinds;
  /**
   * The namespace.
   * @default azureserviceoperator-system
   */
  readonly namespace?: string;
  /**
   * Whether the manifests contain the Namespace object.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * The part of the controller that runs.
   * @default OperatorMode.ALL
   */
  readonly mode?: OperatorMode;
  /**
   * Settings of the controller.
   * @default - the controller's own defaults, and no global credential
   */
  readonly settings?: ControllerSettings;
  /**
   * Whether the controller gets the rights to propagate the ids of identities to other namespaces: to delete the Secrets and ConfigMaps
   * that it has written, and to list, watch and patch service accounts.
   * @default - derived from the annotations `aso.cdk8s.io/propagate-credentials-to` in the app
   */
  readonly credentialPropagation?: boolean;
  /**
   * Whether the controller serves webhooks, and the source of their certificate.
   * @default - Webhooks.ownCertificate(); with OperatorMode.WATCHERS none
   */
  readonly webhooks?: Webhooks;
  /**
   * The source of the CRDs.
   * @default - CrdInstallation.MANIFESTS; with OperatorMode.WATCHERS none
   */
  readonly crds?: CrdInstallation;
  /**
   * Additional labels of the CRDs.
   * @default - none
   */
  readonly crdLabels?: Record<string, string>;
  /**
   * Whether the roles `view`, `edit` and `admin` of Kubernetes get rights on the kinds. `admin` may write the kinds that change access
   * rights (role assignments, federated credentials, groups, users of databases, vaults …), `edit` may not: the controller acts with its
   * own credential for every author of such an object. https://cdk8s-aso.github.io/cdk8s-aso/guard-rails lists these kinds.
   * @default true
   */
  readonly userRoles?: boolean;
  /**
   * For clusters with the admission plugin OwnerReferencesPermissionEnforcement (OpenShift), which requires the right to delete an object
   * for setting its owner references. The controller never deletes an object.
   * @default false
   */
  readonly ownerReferencesPermissionEnforcement?: boolean;
  /**
   * Number of pods. The leader reconciles; the others stand by and serve webhooks. With `shards` all of them reconcile.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Whether all replicas reconcile, each a part of the namespaces, and keep only that part in memory (`--shards auto`). For thousands of
   * objects in many namespaces. https://cdk8s-aso.github.io/cdk8s-aso/controller
   * @default false
   */
  readonly shards?: boolean;
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
   * Image pull policy: `IfNotPresent`, `Always`, `Never`.
   * @default IfNotPresent
   */
  readonly imagePullPolicy?: string;
  /**
   * Names of image pull Secrets.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * CPU and memory of the container.
   * @default - see ControllerResources
   */
  readonly resources?: ControllerResources;
  /**
   * The metrics endpoint.
   * @default - over HTTPS, with authorization by the API server
   */
  readonly metrics?: ControllerMetrics;
  /**
   * Network policies.
   * @default - see ControllerNetwork
   */
  readonly network?: ControllerNetwork;
  /**
   * Log verbosity: 0 errors, 1 warnings, 2 one line per reconcile, 3 everything.
   * @default 2
   */
  readonly verbosity?: number;
  /**
   * Whether each log entry is one line of JSON.
   * @default false
   */
  readonly jsonLogging?: boolean;
  /**
   * Whether to create a PodDisruptionBudget that keeps half of the pods.
   * @default - true with two replicas or more
   */
  readonly disruptionBudget?: boolean;
  /**
   * Use of the AKS system node pool.
   * @default SystemNodePool.IGNORED
   */
  readonly systemNodePool?: SystemNodePool;
  /**
   * Labels that nodes must have, in addition to `kubernetes.io/os: linux`.
   * @default - none
   */
  readonly nodeSelector?: Record<string, string>;
  /**
   * Taints that the pods tolerate.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Affinity of the pods. The affinity for `systemNodePool` is added.
   * @default - none
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Name of the PriorityClass.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * Additional environment variables, e.g. for proxies. Secrets and controller settings are rejected.
   * @default - none
   */
  readonly environment?: Record<string, string>;
  /**
   * Additional labels of the Deployment and its pods.
   * @default - none
   */
  readonly labels?: Record<string, string>;
  /**
   * Additional annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: Record<string, string>;
  /**
   * Number of old ReplicaSets to keep.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;
}
