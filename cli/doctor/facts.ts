import type { AREAS } from './finding';
import type { ControllerFacts } from '../../engine/inspect';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import type { SchemaDifferences } from '../cluster/schema-differences';

/** A CRD without its schemas. */
export interface CrdFacts {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  readonly storedVersions: readonly string[];
  /** Undefined where there is no conversion. */
  readonly conversion?: { readonly namespace: string; readonly service: string; readonly caBundle: string } | undefined;
  /** `app.kubernetes.io/version`; undefined where the CRD is not labelled as one of the operator. */
  readonly release?: string | undefined;
  readonly isLabelled: boolean;
  /** Types of the conditions that are True. */
  readonly conditions: readonly string[];
  readonly injectCaFrom?: string | undefined;
  /** Compared with the catalog; undefined where it does not have the kind, or the CRD is not labelled. */
  readonly schema?: SchemaDifferences | undefined;
}

/** A controller with its Deployment, pods and settings. */
export interface ControllerState extends ControllerFacts {
  readonly object?: KubernetesObject | undefined;
  readonly pods: readonly KubernetesObject[];
  readonly serviceAccount: string;
  readonly arguments: readonly string[];
  /** `AZURE_TARGET_NAMESPACES`; empty: all. Undefined: the settings could not be read. */
  readonly targetNamespaces?: readonly string[] | undefined;
  /** `AZURE_OPERATOR_MODE`, lower case; empty: watchers and webhooks. */
  readonly mode: string;
}

export interface Unread {
  readonly area: (typeof AREAS)[number];
  readonly text: string;
}

/** A cluster, as far as the checks look at it. Secrets are not in it, but for certificates and the names of keys. */
export interface ClusterFacts {
  /** Milliseconds since the epoch, by this machine. */
  readonly now: number;
  /** The same by the API server; undefined where it does not tell. */
  readonly serverNow?: number | undefined;
  readonly crds: readonly CrdFacts[];
  readonly controllers: readonly ControllerState[];
  readonly leases: readonly KubernetesObject[];
  readonly webhookConfigurations: readonly KubernetesObject[];
  /** `namespace/service` → ready addresses. */
  readonly endpoints: ReadonlyMap<string, number>;
  /** `namespace/name` of a Secret with a certificate → PEM, or undefined where the Secret has none. */
  readonly certificates: ReadonlyMap<string, string | undefined>;
  readonly namespaces: readonly KubernetesObject[];
  readonly objects: readonly KubernetesObject[];
  readonly types: readonly ResourceType[];
  readonly argo: { readonly applications: readonly KubernetesObject[]; readonly settings?: KubernetesObject | undefined };
  readonly flux: { readonly kustomizations: readonly KubernetesObject[]; readonly releases: readonly KubernetesObject[] };
  readonly unread: readonly Unread[];
}
