/** Whether the objects of a cluster manage Azure resources or only watch them. */
export enum ClusterMode {
  /** The objects create, update and delete Azure resources. */
  ACTIVE = 'active',
  /** The objects only watch (`reconcile-policy: skip`): they become Ready and export, while another cluster of the environment manages. */
  PASSIVE = 'passive',
}

/** The service account whose token the operator uses to sign in for a namespace. */
export enum WorkloadIdentityMode {
  /** The operator's own, for every namespace, as Azure Service Operator does. Every author of a client id may use the identity. */
  RELAXED = 'relaxed',
  /** The service account `aso-workload` of the object's namespace (`AZURE_WORKLOAD_IDENTITY_AUTH_MODE=strict`). */
  STRICT = 'strict',
  /** Identities trust both, so that the operator's mode can be changed at any time. */
  BOTH = 'both',
}

/** A cluster in which an operator runs. */
export interface Cluster {
  /** Name of the cluster in tags, e.g. `DEVADPINFAK1401`. */
  readonly name: string;

  /**
   * The OpenID Connect issuer, an `https://` URL, spelt exactly as the cluster spells it (AKS ends it with `/`).
   * @see https://learn.microsoft.com/azure/aks/use-oidc-issuer
   */
  readonly oidcIssuerUrl: string;

  /**
   * Whether the cluster's objects manage Azure resources. Exactly one cluster of an environment is active.
   * @default ClusterMode.ACTIVE
   */
  readonly mode?: ClusterMode;

  /**
   * Namespace of the operator.
   * @default azureserviceoperator-system
   */
  readonly operatorNamespace?: string;

  /**
   * Service account of the operator.
   * @default azureserviceoperator-default
   */
  readonly operatorServiceAccount?: string;
}
