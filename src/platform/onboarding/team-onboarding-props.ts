import type { NetworkAccess } from './network-access';
import type { OnboardingPart } from './onboarding-part';
import type { RoleAssignmentNaming } from '../../core';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { IResourceGroupRef } from '../../services/resources/refs';
import type { ICredentialDelivery } from '../credentials/credential-delivery-contract';
import type { TeamInEnvironment } from '../model/team-in-environment';
import type { SelfServicePolicy } from '../policy/self-service-policy';

/** Properties of a `TeamOnboarding`. */
export interface TeamOnboardingProps {
  /** The team in the environment: `team.in(environment)`. */
  readonly team: TeamInEnvironment;

  /**
   * Name of the cluster for which the objects are created. On a passive cluster all Azure objects only watch.
   * @default - the active one
   */
  readonly cluster?: string;

  /**
   * The parts to create. Other parts are expected to exist: the created ones refer to them by the names of the naming strategy.
   * @default - all parts for which the team and the environment have the settings
   */
  readonly only?: OnboardingPart[];

  /**
   * Parts to leave out.
   * @default - none
   */
  readonly without?: OnboardingPart[];

  /**
   * How the client id of the identity, which Azure has not created yet, reaches the namespace's credential and the service account.
   * @default CredentialDelivery.controller(), or the literal `clientId` if set
   */
  readonly delivery?: ICredentialDelivery;

  /**
   * Client id, a UUID, of the identity under which the operator acts for the team, if the identity already exists.
   * @default - unknown: delivered once Azure has created the identity
   */
  readonly clientId?: string;

  /**
   * Client id, a UUID, of the identity of the team's pods, if identities are separate (`EnvironmentProps.teamIdentities`) and it already
   * exists.
   * @default - unknown: delivered once Azure has created the identity
   */
  readonly workloadClientId?: string;

  /**
   * The self-service policy of the team. The cluster enforces it, and the team's groups (`TeamProps.groups`) get rights on the kinds that
   * they may use. `policy.applyTo(chart, team)` checks the team's own charts at synth.
   * @default - none: the team's groups get no rights, and no object is rejected
   */
  readonly policy?: SelfServicePolicy;

  /**
   * The connections that the team's pods may accept and open.
   * @default - between the team's pods, and to all destinations
   */
  readonly network?: NetworkAccess;

  /**
   * Further labels of the namespace.
   * @default - those of the conventions
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * An existing construct of the team's resource group. Its name must be `team.resourceGroup`.
   * @default - one is created
   */
  readonly resourceGroup?: IResourceGroupRef;

  /**
   * An existing construct of the operator's identity for the team, in the platform's namespace. If its Azure name differs from that of the
   * naming strategy, list its ARM id in the policy's `protectedIdentities`.
   * @default - one is created
   */
  readonly identity?: UserAssignedIdentity;

  /**
   * An existing construct of the identity of the team's pods, in the platform's namespace. If its Azure name differs from that of the
   * naming strategy, list it in the policy's `platformIdentities`.
   * @default - one is created, unless the environment's identities are shared
   */
  readonly workloadIdentity?: UserAssignedIdentity;

  /**
   * Azure names of role assignments: UUIDs of scope, principal and role instead of the operator's, which are derived from the object's
   * name. Do not change this for existing assignments.
   * @default - the naming applied to the scope, else the operator's
   */
  readonly roleAssignmentNaming?: RoleAssignmentNaming;
}
