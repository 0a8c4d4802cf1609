import { annotationLimits } from './annotations';
import { deputyLimits } from './deputies';
import { forwardingLimits } from './forwarding';
import { hostNameLimits } from './host-names';
import { identityLimits } from './identities';
import { kindLimits } from './kinds';
import { ownerLimits } from './owners';
import { placeLimits } from './places';
import { referenceLimits } from './references';
import { roleLimits } from './roles';
import { storeLimits } from './stores';
import { Limit, meaningful } from '../limit';
import type { TeamPolicy } from '../team-policy';

/** All limits of a team. If an object breaks several, the API server reports the first. */
export function limitsOf(policy: TeamPolicy): Limit[] {
  const all = [
    kindLimits, ownerLimits, identityLimits, placeLimits, forwardingLimits, hostNameLimits, referenceLimits,
    roleLimits, annotationLimits, storeLimits, deputyLimits,
  ];
  return meaningful(all.flatMap((limits) => limits(policy)));
}
