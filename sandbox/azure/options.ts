import type { FederationOptions } from './http/federation';
import type { SandboxClock } from './model/clock';

export interface AzureOptions {
  /** Port on the loopback address; a free one by default. */
  readonly port?: number | undefined;
  /** So many of Azure's seconds pass in one; 60 by default. */
  readonly timeScale?: number | undefined;
  readonly clock?: SandboxClock;
  /** The same seed gives the same ids and keys. */
  readonly seed?: string | number | undefined;
  readonly tenantId?: string;
  /** Tenants besides `tenantId` that exist: they give tokens, and Azure refuses them. Default: none. */
  readonly otherTenants?: readonly string[] | undefined;
  /**
   * Whether tenants and applications that are not known here get no token. Default false: they stand for those that were made elsewhere;
   * only the application of `env` is refused in another tenant, and its secret for another application.
   */
  readonly strictIdentities?: boolean | undefined;
  /** Subscriptions that exist; all by default. The first is that of `env`. */
  readonly subscriptionIds?: readonly string[] | undefined;
  /** Whether extension resources may sit on resources that were never made here. */
  readonly allowForeignScopes?: boolean | undefined;
  /** ARM ids of resources that are there from the start, their resource groups with them. */
  readonly existing?: readonly string[] | undefined;
  /** Provider namespaces that are not registered with any subscription until somebody does it. */
  readonly unregisteredProviders?: readonly string[];
  /**
   * Azure's seconds until a new identity, federated credential or role assignment is known everywhere: 15 to 120 in Azure. With it, what
   * asks with the token of an identity that was made here needs a role with the action. Default: a principal is known to role assignments
   * after 20 s, the rest at once, and nobody needs a role.
   */
  readonly principalDelaySeconds?: number | undefined;
  /**
   * Whether requests beyond Azure's limits, and those of its resource providers, are refused with 429. Answers tell what is left in any
   * case. Default false.
   */
  readonly limits?: boolean | undefined;
  /** Whether bodies that break a rule of docs/azure-rules.md are refused. Default true. */
  readonly rules?: boolean | undefined;
  /**
   * A seed of the contrary mode: Azure answers in other spellings and ways, as it was seen to do (docs/sandbox.md#contrary-mode).
   * `SEED:WAY,WAY` has these ways alone. Default: it does not.
   */
  readonly contrary?: string | undefined;
  /**
   * Directory of Microsoft's types (https://github.com/Azure/bicep-types-az, `generated`): bodies that they refuse are refused. Default: the
   * types are not looked at.
   */
  readonly azureTypes?: string | undefined;
  /** The kubeconfig that AKS clusters hand out to users and admins: of a real cluster behind them. Default: one without a cluster. */
  readonly aksKubeconfig?: string | undefined;
  /** Azure's seconds until Azure Resource Graph shows what has changed. Default: 5. */
  readonly resourceGraphLagSeconds?: number;
  /** Tokens of service accounts that the identity platform exchanges, by the federated credentials of identities. */
  readonly federation?: FederationOptions;
}
