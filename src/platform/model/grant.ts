import type { TeamIdentity } from './team-identities';
import type { IAzureResourceRef } from '../../core';

/** A role that an identity of a team gets. */
export interface Grant {
  /** What the grant is for, e.g. `service-bus`: a word that stands in the name of the role assignment and is unique in the team. */
  readonly id: string;
  /** On which resource, with all that is in it: what `fromArmId` gives, or a construct of the app. */
  readonly on: IAzureResourceRef;
  /** The role: a `BuiltInRole`, `BuiltInRole.custom(id)`, or a role definition of the app. */
  readonly role: IAzureResourceRef;
  /**
   * Name of the Kubernetes object.
   * @default - as the naming strategy has it
   */
  readonly name?: string;
  /**
   * A condition that narrows the role, in Azure's language for conditions (version 2.0).
   * @default - none
   */
  readonly condition?: string;
  /**
   * Which identity gets it: what the operator has to do, or what the team's pods do themselves.
   * @default TeamIdentity.OPERATOR
   */
  readonly to?: TeamIdentity;
}
