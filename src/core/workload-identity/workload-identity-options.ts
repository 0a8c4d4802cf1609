import type { Duration } from 'cdk8s';
import type { Container } from 'cdk8s-plus-27';
import type { AzureResourceProps } from '../azure-resource-props';
import type { ConfigMapValue } from '../config-map-value';
import type { IAzureResourceRef } from '../resource-reference';

/** What the federated credential of a workload's service account takes besides what follows from the workload. */
export interface WorkloadFederationProps extends AzureResourceProps {
  /**
   * Name in Azure, 3 to 120 letters, digits, `-` and `_`.
   * @default - `metadata.name`
   */
  readonly azureName?: string;
}

/** As which identity a workload runs, and how its pods come to a token. */
export interface WorkloadIdentityOptions {
  /** The user-assigned identity: a construct, or what its class's `fromName` and `fromArmId` give. */
  readonly identity: IAzureResourceRef;

  /**
   * The OpenID Connect issuer of the cluster in which the pods run, an `https://` URL, spelt exactly as the cluster spells it
   * (AKS ends it with `/`).
   * @default - none: give this or `issuerFromConfig`, or `federate: false`
   */
  readonly issuer?: string;

  /**
   * The issuer from a ConfigMap, e.g. `cluster.outputs.oidcIssuerProfile` of a `ManagedCluster` of the app.
   * @default - none: give this or `issuer`, or `federate: false`
   */
  readonly issuerFromConfig?: ConfigMapValue;

  /**
   * Client id of the identity, a UUID, where it is known: it is no secret. The pods then need no ConfigMap, so the identity may
   * be in another namespace.
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
   * Whether the cluster runs the workload identity webhook (on AKS: `securityProfile.workloadIdentity`). It gives labelled pods
   * the token and the rest of the environment; without it, the manifest has all of that itself.
   * @default true
   */
  readonly webhook?: boolean;

  /**
   * The containers that get the identity.
   * @default - all containers and init containers that the workload has by now
   */
  readonly containers?: Container[];

  /**
   * Whether a federated credential is made for the service account. One for the same identity and service account is made once,
   * however many workloads share them.
   * @default true
   */
  readonly federate?: boolean;

  /**
   * Name, policy and credential of the federated credential.
   * @default - a name made from the service account's path, in the identity's namespace
   */
  readonly federatedCredential?: WorkloadFederationProps;

  /**
   * For whom the service account token is made out. Other clouds have names of their own, e.g. `api://AzureADTokenExchangeUSGov`;
   * a webhook has to be set to the same.
   * @default api://AzureADTokenExchange
   */
  readonly audience?: string;

  /**
   * Where tokens of Entra come from.
   * @default - with the webhook, the webhook's own; without it, `https://login.microsoftonline.com/`
   */
  readonly authorityHost?: string;

  /**
   * How long a service account token is good, one hour to one day. The kubelet renews it in time.
   * @default Duration.hours(1)
   */
  readonly tokenLifetime?: Duration;
}
