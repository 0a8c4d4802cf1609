import { either, ofType, OWNER_ID } from './facts';
import { all, any, contains, is, lower, not, spec, startsWith } from '../condition';
import type { Limit } from '../limit';
import { NOT_IN_IDS, NOT_IN_NAMES } from '../shared-ids';
import type { TeamPolicy } from '../team-policy';

const FORWARDING = ['servicebus.azure.com/NamespacesQueue', 'servicebus.azure.com/NamespacesTopicsSubscription'];
const FIELDS = ['forwardTo', 'forwardDeadLetteredMessagesTo'];

/**
 * The queues and topics to which messages of a shared Service Bus namespace go on by themselves: Azure asks the team's credential alone,
 * which may write to the whole namespace.
 */
export function forwardingLimits({ scopes, groupIds }: TeamPolicy): Limit[] {
  const shared = scopes.filter(({ entries, namePrefix }) => namePrefix !== '' && entries?.some(({ type }) => FORWARDING.includes(type)));
  if (shared.length === 0) return [];
  const prefixes = [...new Set(shared.map(({ namePrefix }) => namePrefix))];
  const others = [...new Set(shared.flatMap(({ otherPrefixes }) => otherPrefixes))];
  // In a namespace of the team's own resource group every name is the team's.
  const isOutside = not(all(not(contains(OWNER_ID, NOT_IN_IDS)), startsWith(OWNER_ID, groupIds.map((group) => `${group}/`))));
  return FIELDS.map((field): Limit => {
    const target = lower(spec(field));
    return {
      id: 'self-service-forwarding',
      concerns: all(ofType(...FORWARDING), isOutside),
      holds: any(is(target, ''), all(startsWith(target, prefixes), not(startsWith(target, others)), not(contains(target, NOT_IN_NAMES)))),
      field: `spec.${field}`,
      found: spec(field),
      rule: `has to begin with ${either(prefixes.map((prefix) => `'${prefix}'`))}${others.length > 0 ? `, but not with ${either(others)},` : ''} as the team's `
        + 'own queues and topics do, and to be a name: messages would go to another team.',
      option: 'sharedNamePrefix',
    };
  });
}
