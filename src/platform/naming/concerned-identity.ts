import { FederationPurpose } from './federation-purpose';
import type { Grant } from '../model/grant';
import { TeamIdentities, TeamIdentity } from '../model/team-identities';

/** The identity that gets a grant, where a team has two; with one it is that of the operator. */
export function grantedIdentity({ to }: Grant, mode: TeamIdentities): TeamIdentity {
  return mode === TeamIdentities.SEPARATE && to === TeamIdentity.WORKLOAD ? TeamIdentity.WORKLOAD : TeamIdentity.OPERATOR;
}

/** Whether the purpose is about the identity of the team's pods, where that is another one than the operator's. */
export function isOfWorkload(mode: TeamIdentities, purpose: FederationPurpose): boolean {
  return mode === TeamIdentities.SEPARATE && purpose !== FederationPurpose.OPERATOR && purpose !== FederationPurpose.WORKLOAD;
}
