import type { CatalogueEntry, GrantedScope } from './catalogue-entry';
import type { IAzureResourceRef, ReconcilePolicy } from '../../core';

/** Limits that do not depend on a kind. */
export interface SelfServiceOptions {
  /**
   * Regions in which the team's resources may be.
   * @default - the environment's
   */
  readonly locations?: string[];

  /**
   * SKUs that kinds may have, by kind: `{ StorageAccount: ['Standard_LRS'] }`. What the catalogue says of a kind counts more.
   * @default - any
   */
  readonly skus?: { [kind: string]: string[] };

  /**
   * Where the team may own besides its own resource group and what the environment shares: directly below a shared service it may own the
   * kinds of the catalogue that Azure keeps there, under names that begin with `sharedNamePrefix`.
   * @default - nowhere else
   */
  readonly grantedScopes?: GrantedScope[];

  /**
   * How the names in Azure of what the team owns in shared services begin, which keeps it apart from other teams.
   * @default - what the environment's naming strategy puts in front of queues, topics and databases; `<namespace>-` where it puts nothing there
   */
  readonly sharedNamePrefix?: string;

  /**
   * Prefixes of other teams: where one of them begins with this team's, as `fin-ledger-` does with `fin-`, what begins so is not this team's.
   * @default - none; two such teams in one app are told of at synth
   */
  readonly otherNamePrefixes?: string[];

  /**
   * Credential Secrets, besides `aso-credential`, that objects may name in `serviceoperator.azure.com/credential-from`. The team may not write them.
   * @default - none: everything uses the namespace's credential
   */
  readonly credentials?: string[];

  /**
   * ARM ids of user-assigned identities that the team may not use, besides the one under which the operator acts for it, as the naming strategy
   * calls that: no federated credential on them, no object for them, no resource that runs with them.
   * @default - none
   */
  readonly protectedIdentities?: string[];

  /**
   * Whether the team may write network policies of its own. They add to the platform's, so that the team can let others in.
   * @default false
   */
  readonly networkPolicies?: boolean;

  /**
   * Policies that the team may give in `serviceoperator.azure.com/reconcile-policy`. With an empty list it may not touch the annotation.
   * @default - all
   */
  readonly reconcilePolicies?: ReconcilePolicy[];

  /**
   * Roles that the team may grant: `BuiltInRole`s and `BuiltInRole.custom(id)`.
   * @default - none
   */
  readonly roles?: IAzureResourceRef[];

  /**
   * Object ids of principals, besides the team's own identities, to whom it may grant them.
   * @default - none
   */
  readonly principals?: string[];

  /**
   * ConfigMaps from which the team may take the principal of a role assignment.
   * @default - all of its namespace: only the operator writes the key `principalId`
   */
  readonly principalConfigMaps?: string[];

  /**
   * Subjects, besides service accounts of the team's namespace, whom the team's identities may trust, e.g. `repo:fin/ledger:ref:refs/heads/main`.
   * @default - none
   */
  readonly federatedSubjects?: string[];

  /**
   * Issuers, besides the environment's clusters, that the team's identities may trust, e.g. `https://token.actions.githubusercontent.com`.
   * @default - none
   */
  readonly federatedIssuers?: string[];

  /**
   * ConfigMaps and Secrets of the team's namespace that only the platform writes, besides credentials.
   * @default - none
   */
  readonly platformObjects?: string[];

  /**
   * Annotations of the operator and of this library, besides those that are harmless, that the team may write.
   * @default - none
   */
  readonly annotations?: string[];

  /**
   * Who may change the limits: stands in every message.
   * @default the platform team
   */
  readonly changedBy?: string;
}

/** What a team may do by itself. */
export interface SelfServicePolicyProps extends SelfServiceOptions {
  /** The kinds that it may use. Every other kind of Azure is refused. */
  readonly catalogue: CatalogueEntry[];
}
