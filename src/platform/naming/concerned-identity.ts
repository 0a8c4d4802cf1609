import { FederationPurpose } from './federation-purpose';
import type { Grant } from '../model/grant';
import { TeamIdentities, TeamIdentity } from '../model/team-identities';

/** The identity that gets a grant. With shared identities it is always the operator's. */
export function grantedIdentity({ to }: Grant, mode: TeamIdentities): TeamIdentity {
  return mode === TeamIdentities.SEPARATE && to === TeamIdentity.WORKLOAD ? TeamIdentity.WORKLOAD : TeamIdentity.OPERATOR;
}

/** Whether the purpose concerns the identity of the team's pods, if the team has two identities. */
export function isOfWorkload(mode: TeamIdentities, purpose: FederationPurpose): boolean {
  return mode === TeamIdentities.SEPARATE && purpose !== FederationPurpose.OPERATOR && purpose !== FederationPurpose.WORKLOAD;
}
