import type { NetworkAccess } from './network-access';
import type { OnboardingPart } from './onboarding-part';
import type { RoleAssignmentNaming } from '../../core';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { IResourceGroupRef } from '../../services/resources/resource-group';
import type { ICredentialDelivery } from '../credentials/credential-delivery-contract';
import type { TeamInEnvironment } from '../model/team-in-environment';
import type { SelfServicePolicy } from '../policy/self-service-policy';

/** How a team is onboarded. */
export interface TeamOnboardingProps {
  /** The team in the environment: `team.in(environment)`. */
  readonly team: TeamInEnvironment;

  /**
   * For which cluster the objects are, by its name. On a passive one everything of Azure is only watched.
   * @default - the active one
   */
  readonly cluster?: string;

  /**
   * The parts that are made. What is left out is taken for granted: the others refer to it under the name that the naming strategy gives it.
   * @default - every part for which team and environment have what it needs
   */
  readonly only?: OnboardingPart[];

  /**
   * Parts that are not made.
   * @default - none
   */
  readonly without?: OnboardingPart[];

  /**
   * How the client id of the identity, which Azure has yet to make, gets into the namespace's credential and the service account.
   * @default CredentialDelivery.controller(), or the literal `clientId` where it is given
   */
  readonly delivery?: ICredentialDelivery;

  /**
   * Client id, a UUID, of the identity under which the operator acts for the team, where it is known already, because the identity exists.
   * @default - not known: it is delivered once Azure has made the identity
   */
  readonly clientId?: string;

  /**
   * Client id, a UUID, of the identity of the team's pods, where it is another one (`EnvironmentProps.teamIdentities`) and known already.
   * @default - not known: it is delivered once Azure has made the identity
   */
  readonly workloadClientId?: string;

  /**
   * What the team may do by itself. The cluster then holds the team to it, and its groups (`TeamProps.groups`) get rights for the kinds that
   * they may use. `policy.applyTo(chart, team)` checks the team's own charts at synth.
   * @default - none: no rights are given to the team's groups, and nothing is refused
   */
  readonly policy?: SelfServicePolicy;

  /**
   * Who may talk to the team's pods, and to whom they may talk.
   * @default - each other; and out to anywhere
   */
  readonly network?: NetworkAccess;

  /**
   * Further labels of the namespace.
   * @default - those of the conventions only
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * A resource group in place of the one that would be made. It has to have the team's name for it (`team.resourceGroup`).
   * @default - one is made
   */
  readonly resourceGroup?: IResourceGroupRef;

  /**
   * An identity for the operator in place of the one that would be made, in the platform's namespace. Where it has another name in Azure than
   * the naming strategy gives, list its ARM id in the policy's `protectedIdentities`.
   * @default - one is made
   */
  readonly identity?: UserAssignedIdentity;

  /**
   * An identity for the team's pods in place of the one that would be made, in the platform's namespace.
   * @default - one is made, unless the environment's identities are shared
   */
  readonly workloadIdentity?: UserAssignedIdentity;

  /**
   * How role assignments are called in Azure: UUIDs of scope, principal and role instead of the operator's, which it makes of the object's
   * name. Do not change it for assignments that exist.
   * @default - what is applied to the scope, else the operator's
   */
  readonly roleAssignmentNaming?: RoleAssignmentNaming;
}
