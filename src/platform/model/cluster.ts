/** Whether the objects of a cluster manage Azure, or only watch it. */
export enum ClusterMode {
  /** Its objects create, update and delete in Azure. */
  ACTIVE = 'active',
  /** Its objects watch (`reconcile-policy: skip`): they are Ready and export, and another cluster of the environment manages. */
  PASSIVE = 'passive',
}

/** With whose service account token the operator signs in for a namespace. */
export enum WorkloadIdentityMode {
  /** With its own, for every namespace: what Azure Service Operator does. Whoever may name a client id may use the identity. */
  RELAXED = 'relaxed',
  /** With that of the service account `aso-workload` of the object's namespace (`AZURE_WORKLOAD_IDENTITY_AUTH_MODE=strict`). */
  STRICT = 'strict',
  /** Identities trust both, so that the operator can be switched at any time. */
  BOTH = 'both',
}

/** A cluster in which an operator runs. */
export interface Cluster {
  /** Name of the cluster, as it stands in tags, e.g. `DEVADPINFAK1401`. */
  readonly name: string;

  /**
   * The OpenID Connect issuer, an `https://` URL, spelt exactly as the cluster spells it (AKS ends it with `/`).
   * @see https://learn.microsoft.com/azure/aks/use-oidc-issuer
   */
  readonly oidcIssuerUrl: string;

  /**
   * Whether the cluster's objects manage Azure. Of the clusters of an environment exactly one is active.
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
