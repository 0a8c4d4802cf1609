import * as z from 'zod';
import { prd } from './environment';
import { settingsOfClass } from './team-classes';
import { Offboarding, Team, type TeamInEnvironment } from 'cdk8s-aso/platform';
import { ClaimError } from 'cdk8s-aso/platform-api';

export const GROUP = 'platform.aurland.example.com';

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export const teamSpec = z.object({
  class: z.enum(['product', 'data', 'partner']).describe('What the team is for: it decides shared services, quotas and network.'),
  costCentre: z.string().regex(/^\d{5}$/).describe('Five digits, in the tags of all resources.'),
  members: uuid.describe('Object id of the group in Entra whose members are the team.'),
  subscription: uuid.optional().describe('Subscription of a partner. Other teams are in that of the platform.'),
  hostNames: z.array(z.string().max(64)).max(10).default([]).describe('Host names besides those of the class.'),
  leaving: z.boolean().default(false).describe('Set it before the team is deleted: data then stays in Azure, identities and roles go.'),
});

export type TeamSpec = z.infer<typeof teamSpec>;

/**
 * The team of a claim.
 * @throws when the claim is wrong in a way that the schema cannot say
 */
export function teamOf(name: string, spec: TeamSpec): TeamInEnvironment {
  if (name.length > 24) throw new ClaimError([{ path: 'metadata.name', message: 'has more than 24 characters. Choose a shorter name.' }]);
  if ((spec.class === 'partner') !== (spec.subscription !== undefined)) {
    throw new ClaimError([{ path: 'spec.subscription', message: 'a partner has a subscription of its own, and no other team has one.' }]);
  }
  const { hostNames = [], ...settings } = settingsOfClass(name, spec);
  return new Team({
    name,
    ...settings,
    groups: [spec.members],
    hostNames: [...hostNames, ...spec.hostNames],
    tags: { 'team': name, 'team-class': spec.class, 'cost-centre': spec.costCentre },
    ...(spec.leaving && { offboarding: Offboarding.RETAIN }),
  }).in(prd);
}
