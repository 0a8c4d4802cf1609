import type { TeamIdentity } from './team-identities';
import type { IAzureResourceRef } from '../../core';

/** A role assignment for an identity of a team. */
export interface Grant {
  /** Id of the grant, e.g. `service-bus`: part of the role assignment's name, unique in the team. */
  readonly id: string;
  /** The scope of the role: the result of `fromArmId`, or a construct of the app. */
  readonly on: IAzureResourceRef;
  /** The role: a `BuiltInRole`, `BuiltInRole.custom(id)`, or a role definition of the app. */
  readonly role: IAzureResourceRef;
  /**
   * Name of the Kubernetes object.
   * @default - the name from the naming strategy
   */
  readonly name?: string;
  /**
   * A condition that restricts the role, in the Azure role assignment condition format (version 2.0).
   * @default - none
   */
  readonly condition?: string;
  /**
   * The identity that gets the role: the operator's, or that of the team's pods.
   * @default TeamIdentity.OPERATOR
   */
  readonly to?: TeamIdentity;
}
