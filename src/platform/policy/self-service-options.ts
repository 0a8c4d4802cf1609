import type { CatalogueEntry, GrantedScope } from './catalogue-entry';
import type { Deputy } from './deputies/deputy';
import type { IAzureResourceRef, ReconcilePolicy } from '../../core';

/** Limits that do not depend on a kind. */
export interface SelfServiceOptions {
  /**
   * Allowed regions of the team's resources.
   * @default - the environment's
   */
  readonly locations?: string[];

  /**
   * Allowed SKUs by kind: `{ StorageAccount: ['Standard_LRS'] }`. SKUs of a catalogue entry take precedence.
   * @default - any
   */
  readonly skus?: { [kind: string]: string[] };

  /**
   * Further scopes in which the team may own resources, besides its own resource group and the environment's shared services. Directly
   * below a shared service the team may own the kinds of the catalogue that belong there, with names that begin with `sharedNamePrefix`.
   * @default - none
   */
  readonly grantedScopes?: GrantedScope[];

  /**
   * Prefix of the Azure names of the team's resources in shared services, which separates them from those of other teams.
   * @default - the prefix of queues, topics and databases in the environment's naming strategy; `<namespace>-` if it has none
   */
  readonly sharedNamePrefix?: string;

  /**
   * Prefixes of other teams. If one of them begins with this team's prefix, as `fin-ledger-` does with `fin-`, its names belong to the
   * other team.
   * @default - none; conflicts between teams of one app are reported at synth
   */
  readonly otherNamePrefixes?: string[];

  /**
   * ARM ids of resources in shared services, besides the team's own, to which the team's resources may refer, e.g. an origin group, a rule
   * set or a secret of the platform in a Front Door profile, or an elastic pool. What lies below them is open to references too.
   * @default - none: in shared services only what has the team's prefix
   */
  readonly sharedReferences?: string[];

  /**
   * Credential Secrets, besides `aso-credential`, that objects may name in `serviceoperator.azure.com/credential-from`. The team may not
   * write them.
   * @default - none: all objects use the namespace's credential
   */
  readonly credentials?: string[];

  /**
   * ARM ids of user-assigned identities that the team may not use, besides the one under which the operator acts for it (by the name from
   * the naming strategy): no federated credential on them, no object for them, no resource that runs with them.
   * @default - none
   */
  readonly protectedIdentities?: string[];

  /**
   * Names of the user-assigned identities that the platform makes in the team's groups, in Azure; one `*` stands for any text. The team may
   * make no object for them, which would take them over and delete them, and no federated credential with a name of the platform's on them.
   * Resources of the team may run with them.
   * @default - by the naming strategy of the environment: the identity of the team's pods, and those of all services that it may have
   */
  readonly platformIdentities?: string[];

  /**
   * Whether the team may write network policies. They add to the platform's, so the team can allow further connections.
   * @default false
   */
  readonly networkPolicies?: boolean;

  /**
   * Allowed values of `serviceoperator.azure.com/reconcile-policy`. With an empty list the team may not change the annotation.
   * @default - all
   */
  readonly reconcilePolicies?: ReconcilePolicy[];

  /**
   * Roles that the team may grant: `BuiltInRole`s and `BuiltInRole.custom(id)`.
   * @default - none
   */
  readonly roles?: IAzureResourceRef[];

  /**
   * Object ids of principals, besides the team's own identities, that may get these roles.
   * @default - none
   */
  readonly principals?: string[];

  /**
   * ConfigMaps from which the team may read the principal of a role assignment.
   * @default - all in its namespace: only the operator writes the key `principalId`
   */
  readonly principalConfigMaps?: string[];

  /**
   * Subjects, besides service accounts of the team's namespace, that the team's identities may trust, e.g.
   * `repo:fin/ledger:ref:refs/heads/main`.
   * @default - none
   */
  readonly federatedSubjects?: string[];

  /**
   * Issuers, besides the environment's clusters, that the team's identities may trust, e.g. `https://token.actions.githubusercontent.com`.
   * @default - none
   */
  readonly federatedIssuers?: string[];

  /**
   * ConfigMaps and Secrets in the team's namespace that only the platform may write, besides credentials.
   * @default - none
   */
  readonly platformObjects?: string[];

  /**
   * Kinds of controllers that act for the team with rights of their own, besides the known ones, e.g. those of the platform's addons. An
   * entry replaces the known one of its kind: an entry with nothing but group, kind and `searched: []` takes the kind from the list.
   * @default - the known ones
   */
  readonly deputies?: Deputy[];

  /**
   * Additional annotations of the operator and of this library that the team may write, besides the harmless ones.
   * @default - none
   */
  readonly annotations?: string[];

  /**
   * The team that may change the limits; part of every message.
   * @default the platform team
   */
  readonly changedBy?: string;
}

/** Properties of a `SelfServicePolicy`. */
export interface SelfServicePolicyProps extends SelfServiceOptions {
  /** The kinds that the team may use. Every other Azure kind is rejected. */
  readonly catalogue: CatalogueEntry[];
}
