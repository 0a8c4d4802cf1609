import { asText } from '../../src/util/words';
type Members = Readonly<Record<string, unknown>>;

/**
 * `spec.membershipType` → `groupTypes` of Microsoft Graph (docs/spec/groups.md#membership-types). `enabled*` of the schema mean `dynamic*`.
 */
const GROUP_TYPES: Readonly<Record<string, readonly string[]>> = {
  assigned: [],
  assignedm365: ['Unified'],
  dynamic: ['DynamicMembership'],
  dynamicm365: ['Unified', 'DynamicMembership'],
  enabled: ['DynamicMembership'],
  enabledm365: ['Unified', 'DynamicMembership'],
};

/** Types that Azure Service Operator makes groups without dynamic members of: such a group is left as it is. */
const AMBIGUOUS = new Set(['enabled', 'enabledm365']);

/** `groupTypes`, or undefined where the spec says nothing that is known. */
export function groupTypesOf(membershipType: unknown): readonly string[] | undefined {
  return typeof membershipType === 'string' && Object.hasOwn(GROUP_TYPES, membershipType) ? GROUP_TYPES[membershipType] : undefined;
}

/** The body of `POST /groups`. https://learn.microsoft.com/graph/api/group-post-groups */
export function newGroup(spec: Members): Members {
  const types = groupTypesOf(spec.membershipType);
  return {
    '@odata.type': '#microsoft.graph.group',
    ...ownMembers(spec),
    ...(types && types.length > 0 ? { groupTypes: types } : {}),
    'securityEnabled': true,
    'mailEnabled': false,
  };
}

/** The members of `PATCH /groups/{id}`: only those that differ. Empty: nothing is to be sent. `mailEnabled` cannot be changed at all. */
export function changesOf(spec: Members, existing: Members): Members {
  const members: [string, unknown][] = Object.entries(ownMembers(spec)).filter(
    ([name, value]) => (existing[name] ?? blankOf(value)) !== value,
  );
  const types = AMBIGUOUS.has(asText(spec.membershipType)) ? undefined : groupTypesOf(spec.membershipType);
  if (types && !sameSet(types, existing.groupTypes)) members.push(['groupTypes', types]);
  if (existing.securityEnabled === false) members.push(['securityEnabled', true]);
  return Object.fromEntries(members);
}

function ownMembers({ displayName, mailNickname, description, isAssignableToRole }: Members): Members {
  const members = { displayName, mailNickname, description, isAssignableToRole };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** The value that Graph's null represents. */
function blankOf(value: unknown): unknown {
  return typeof value === 'boolean' ? false : '';
}

function sameSet(a: readonly string[], b: unknown): boolean {
  const other = new Set(Array.isArray(b) ? b.map(String) : []);
  return a.length === other.size && a.every((name) => other.has(name));
}

/** The group's members in the status; a null keeps the old value (docs/spec/groups.md#deletion-skip-and-export). */
export function statusOf(group: Members, old: Members = {}): Members {
  const { conditions: _, ...kept } = old;
  const returned = {
    entraID: group.id,
    displayName: group.displayName,
    groupEmailAddress: group.mailNickname,
    description: group.description,
  };
  return { ...kept, ...Object.fromEntries(Object.entries(returned).filter(([, value]) => typeof value === 'string')) };
}
