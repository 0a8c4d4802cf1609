import type { Duration } from 'cdk8s';
import type { AzureResourceProps } from '../azure-resource-props';
import type { ConfigMapValue } from '../config-map-value';
import type { IAzureResourceRef } from '../resource-reference';

/** Props of the federated credential of a workload's service account, besides those that derive from the workload. */
export interface WorkloadFederationProps extends AzureResourceProps {
  /**
   * Name in Azure, 3 to 120 letters, digits, `-` and `_`.
   * @default - `metadata.name`
   */
  readonly azureName?: string;
}

/** The identity of a workload, and how its pods get a token. */
export interface WorkloadIdentityOptions {
  /** The user-assigned identity: a construct, or the result of its class's `fromName` or `fromArmId`. */
  readonly identity: IAzureResourceRef;

  /**
   * The OpenID Connect issuer of the pods' cluster, an `https://` URL, spelt exactly as the cluster spells it (on AKS it ends with `/`).
   * @default - none: set this or `issuerFromConfig`, or `federate: false`
   */
  readonly issuer?: string;

  /**
   * The issuer from a ConfigMap. It is that of the cluster in which the pods run: `cluster.outputs.oidcIssuerUrl` of a `ManagedCluster` is
   * right for pods of that cluster, and wrong for those of the chart that creates it, which run in the cluster of the operator.
   * @default - none: set this or `issuer`, or `federate: false`
   */
  readonly issuerFromConfig?: ConfigMapValue;

  /**
   * Client id of the identity, a UUID, if it is known: it is no secret. The pods then need no ConfigMap, so the identity may be in another
   * namespace.
   * @default - the output `clientId` of the identity, from its ConfigMap
   */
  readonly clientId?: string;

  /**
   * Client id of the identity from a ConfigMap of the pods' namespace.
   * @default - the output `clientId` of the identity, from its ConfigMap
   */
  readonly clientIdFromConfig?: ConfigMapValue;

  /**
   * The Entra tenant of the identity, a UUID.
   * @default - with the webhook, the webhook's own tenant; without it, the output `tenantId` of the identity, from its ConfigMap
   */
  readonly tenantId?: string;

  /**
   * The Entra tenant from a ConfigMap of the pods' namespace.
   * @default - as for `tenantId`
   */
  readonly tenantIdFromConfig?: ConfigMapValue;

  /**
   * Whether the cluster runs the workload identity webhook (on AKS: `securityProfile.workloadIdentity`). The webhook injects the token and
   * the environment into labelled pods; without it, the manifest contains both.
   * @default true
   */
  readonly webhook?: boolean;

  /**
   * The containers that get the identity, of whichever release of cdk8s-plus.
   * @default - all containers and init containers that the workload has at the time of the call
   */
  readonly containers?: any[];

  /**
   * Whether a federated credential is created for the service account. There is one per identity and service account, however many
   * workloads share them.
   * @default true
   */
  readonly federate?: boolean;

  /**
   * Name, policy and credential of the federated credential.
   * @default - a name derived from the service account's path, in the identity's namespace
   */
  readonly federatedCredential?: WorkloadFederationProps;

  /**
   * The audience of the service account token. Other clouds have their own, e.g. `api://AzureADTokenExchangeUSGov`; a webhook has to be
   * configured with the same.
   * @default api://AzureADTokenExchange
   */
  readonly audience?: string;

  /**
   * The Entra authority that issues tokens.
   * @default - with the webhook, the webhook's own; without it, `https://login.microsoftonline.com/`
   */
  readonly authorityHost?: string;

  /**
   * The lifetime of a service account token, one hour to one day. The kubelet renews it in time.
   * @default Duration.hours(1)
   */
  readonly tokenLifetime?: Duration;
}
