import type { IUserAssignedIdentityRef } from '../../services/managedidentity/refs';

/** A resource group of a team. */
export interface TeamResourceGroup {
  /** Name of the group in Azure. */
  readonly name: string;
  /**
   * Region of the group, and default region of the services' resources in it, e.g. `ukwest`.
   * @default - that of the environment
   */
  readonly location?: string;
  /**
   * Whether the group exists already. It is not created or deleted then; the team only gets its role on it.
   * @default false
   */
  readonly existing?: boolean;
}

/** Identities of a team that exist already, in the subscription of the environment. */
export interface ExistingTeamIdentities {
  /**
   * The identity under which the operator acts for the team: `UserAssignedIdentity.fromArmId(id)`. No pod of the team may have it.
   * @default - one is created
   */
  readonly operator?: IUserAssignedIdentityRef;
  /**
   * The identity of the team's pods: `UserAssignedIdentity.fromArmId(id)`. Only if the environment's identities are separate.
   * @default - one is created
   */
  readonly workload?: IUserAssignedIdentityRef;
}
