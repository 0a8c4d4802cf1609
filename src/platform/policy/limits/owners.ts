import { AZURE_NAME, either, OF_AZURE, ofEntries, ofType, OWNER_ID } from './facts';
import { all, any, Condition, contains, FALSE, is, lower, member, not, OBJECT, oneOf, present, spec, startsWith, Text } from '../condition';
import type { Limit } from '../limit';
import { NOT_IN_IDS, NOT_IN_NAMES, within } from '../shared-ids';
import type { KnownEntry, KnownScope, TeamPolicy } from '../team-policy';

/** The allowed owners and names of the team's resources. */
export function ownerLimits(policy: TeamPolicy): Limit[] {
  return [ownerIdLimit(policy), ...ownerKindLimits(policy), resourceGroupLimit(policy), nameLimit(), ...prefixLimits(policy)];
}

function ownerIdLimit({ entries, scopes, groupIds, team }: TeamPolicy): Limit {
  const byName = any(not(is(spec('owner', 'name'), '')), ofEntries(entries.filter(({ ownerless }) => ownerless)));
  const inScopes = scopes.map((scope) => inScope(OWNER_ID, scope));
  const others = scopes.map(({ displayId, entries: owned, namePrefix, byHostName }) =>
    owned && !byHostName ? `${displayId} (${either(owned.map(({ entry }) => entry.kind))}, and what lies below '${namePrefix}…')` : displayId,
  );
  return {
    id: 'self-service-owner',
    concerns: OF_AZURE,
    holds: any(
      all(is(OWNER_ID, ''), byName),
      all(not(contains(OWNER_ID, NOT_IN_IDS)), any(within(OWNER_ID, groupIds), ...inScopes)),
    ),
    field: 'spec.owner',
    found: spec('owner', 'armId'),
    rule: `has to be in the resource group ${either(team.resourceGroups.map(({ name }) => name))}${others.length > 0 ? `, or in ${either(others)}` : ''}.`,
    option: 'grantedScopes',
  };
}

function inScope(id: Text, { id: scope, entries, namePrefix, otherPrefixes }: KnownScope): Condition {
  if (!entries) return within(id, [scope]);
  // With an empty prefix all resources there belong to the team.
  const collections = entries.map(({ kind }) => `${scope}/${kind.latest.facts.arm?.type.split('/').pop()?.toLowerCase() ?? ''}`);
  const below = (prefixes: readonly string[]) =>
    startsWith(
      id,
      collections.flatMap((collection) => prefixes.map((prefix) => `${collection}/${prefix}`)),
    );
  return any(all(is(id, scope), ofEntries(entries)), all(below([namePrefix]), not(below(otherPrefixes))));
}

/** An owner by name is an object in the team's own namespace, of a kind in the team's catalogue. */
function ownerKindLimits({ entries }: TeamPolicy): Limit[] {
  const named = not(is(spec('owner', 'name'), ''));
  const known = new Set(entries.map(({ type }) => type));
  const strangers = entries.filter(({ ownerType }) => ownerType !== undefined && !known.has(ownerType));
  const ofAnyOwner = entries.filter(({ ownerType, ownerless }) => ownerType === undefined && !ownerless);
  const own = entries.filter(({ creates }) => creates);
  const limit = { id: 'self-service-owner-kind', field: 'spec.owner.name', found: spec('owner', 'name'), option: 'catalogue' };
  return [
    {
      ...limit,
      concerns: all(ofEntries(strangers), named),
      holds: FALSE,
      rule: `${either(strangers.map(({ ownerType }) => ownerType!.slice(ownerType!.indexOf('/') + 1)))} are none of the team's kinds, so there is none of that name. Give owner.armId.`,
    },
    {
      ...limit,
      // An object of the platform as owner is rejected too: the team would extend the platform's resources.
      concerns: all(ofEntries(ofAnyOwner), named),
      holds: ofOwnKinds(own),
      rule: `has to name an object that the team makes: ${either(own.map(({ entry }) => entry.kind))}.`,
    },
  ];
}

function ofOwnKinds(own: readonly KnownEntry[]): Condition {
  const groups = [...new Set(own.map(({ entry }) => entry.group))];
  return any(...groups.map((group) => all(
    is(spec('owner', 'group'), group),
    oneOf(spec('owner', 'kind'), own.filter(({ entry }) => entry.group === group).map(({ entry }) => entry.kind)),
  )));
}

/** A resource group has no owner; its name decides which team it belongs to. */
function resourceGroupLimit({ team }: TeamPolicy): Limit {
  return {
    id: 'self-service-resource-group',
    concerns: ofType('resources.azure.com/ResourceGroup'),
    holds: oneOf(lower(AZURE_NAME), team.resourceGroups.map(({ name }) => name.toLowerCase())),
    field: 'spec.azureName',
    found: AZURE_NAME,
    rule: `has to be ${either(team.resourceGroups.map(({ name }) => name))}, the team's own resource group.`,
    option: 'catalogue',
  };
}

function nameLimit(): Limit {
  const name = spec('azureName');
  return {
    id: 'self-service-name',
    concerns: OF_AZURE,
    holds: not(any(contains(name, NOT_IN_NAMES), oneOf(name, ['.', '..']))),
    field: 'spec.azureName',
    found: name,
    rule: `may not contain ${either(NOT_IN_NAMES)}: as part of an ARM id it would name something else.`,
    option: 'catalogue',
  };
}

/** Name prefixes separate the teams' resources in a shared service. */
function prefixLimits({ scopes, entries }: TeamPolicy): Limit[] {
  const concerned = scopes.filter(({ namePrefix }) => namePrefix !== '');
  const own = new Set(entries.filter(({ creates }) => creates).map(({ type }) => type));
  const covered = new Set<string>();
  return concerned.map(({ id, displayId, entries: owned, namePrefix, otherPrefixes }) => {
    // If only the platform can create the owner, an object with that name represents the shared service.
    // Of several shared services with the same prefix, the first says so.
    const isNew = (type: string) => !covered.has(`${type} ${namePrefix}`);
    const byName = (owned ?? []).filter(({ type, ownerType }) => ownerType !== undefined && !own.has(ownerType) && isNew(type));
    for (const { type } of byName) covered.add(`${type} ${namePrefix}`);
    const concerns = any(
      all(is(OWNER_ID, id), owned ? ofEntries(owned) : OF_AZURE),
      all(is(OWNER_ID, ''), ofEntries(byName)),
    );
    const known = not(present(member(OBJECT, 'spec', 'azureNameFromConfig')));
    return {
      id: 'self-service-name-prefix',
      concerns,
      holds: all(known, startsWith(lower(AZURE_NAME), [namePrefix]), not(startsWith(lower(AZURE_NAME), otherPrefixes))),
      field: 'spec.azureName',
      found: AZURE_NAME,
      rule: `has to begin with '${namePrefix}'${otherPrefixes.length > 0 ? `, but not with ${either(otherPrefixes)},` : ''} in ${displayId}, where other teams have theirs.`,
      option: owned ? 'sharedNamePrefix' : 'grantedScopes',
    };
  });
}
