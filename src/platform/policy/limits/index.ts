import { annotationLimits } from './annotations';
import { kindLimits } from './kinds';
import { ownerLimits } from './owners';
import { placeLimits } from './places';
import { roleLimits } from './roles';
import { storeLimits } from './stores';
import { Limit, meaningful } from '../limit';
import type { TeamPolicy } from '../team-policy';

/** Every limit of a team. Of several that an object breaks, the API server tells the first. */
export function limitsOf(policy: TeamPolicy): Limit[] {
  return meaningful([kindLimits, ownerLimits, placeLimits, roleLimits, annotationLimits, storeLimits].flatMap((limits) => limits(policy)));
}
