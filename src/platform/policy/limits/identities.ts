import { AZURE_NAME, OF_AZURE, ofType, OWNER_ID } from './facts';
import { NOT_IN_IDS } from './owners';
import { specPathsOf, type SpecPath } from '../../../catalog/spec-paths';
import { all, any, Condition, contains, endsWith, everyAt, is, lower, member, not, OBJECT, oneOf, present, Text, valuesAt } from '../condition';
import type { Limit } from '../limit';
import type { KnownEntry, TeamPolicy } from '../team-policy';

const IDENTITY = 'managedidentity.azure.com/UserAssignedIdentity';
const PART = '/userassignedidentities/';

/**
 * The identity under which the operator acts for the team may be in the team's own resource group. Whoever trusts somebody on it, adopts it under
 * an object of his own, or runs something with it, has what the operator has.
 */
export function identityLimits({ entries, protectedIdentities }: TeamPolicy): Limit[] {
  const names = protectedIdentities.map((id) => id.slice(id.lastIndexOf('/') + 1));
  const limit = {
    id: 'self-service-operator-identity',
    rule: 'may not be an identity of the platform: with it the operator acts for the team.',
    option: 'protectedIdentities',
  };
  return [
    { ...limit, concerns: OF_AZURE, holds: not(isOne(OWNER_ID, names)), field: 'spec.owner', found: OWNER_ID },
    {
      ...limit,
      concerns: ofType(IDENTITY),
      holds: all(not(present(member(OBJECT, 'spec', 'azureNameFromConfig'))), not(oneOf(lower(AZURE_NAME), names))),
      field: 'spec.azureName',
      found: AZURE_NAME,
    },
    ...entries.filter(({ creates }) => creates).flatMap((known) => referencesOf(known).map((path): Limit => ({
      ...limit,
      concerns: ofType(known.type),
      holds: everyAt(path, (value) => any(is(value, ''), all(not(contains(value, NOT_IN_IDS)), not(isOne(lower(value), names))))),
      field: `spec.${path.text}`,
      found: { read: (environment) => valuesAt(path, environment).join(', ') },
    }))),
  ];
}

/** Whatever the resource group and the subscription: another spelling of an id must not be a way around. */
function isOne(id: Text, names: readonly string[]): Condition {
  return any(endsWith(id, names.map((name) => `${PART}${name}`)), contains(id, names.map((name) => `${PART}${name}/`)));
}

/** Every place of a kind where an ARM id may stand that a resource is to use, in all its versions. */
function referencesOf({ kind }: KnownEntry): SpecPath[] {
  const found = new Map<string, SpecPath>();
  for (const version of kind.versionNames) {
    for (const path of specPathsOf(kind.version(version)!)) if (/(^|\.)armId$/.test(path.text)) found.set(path.text, path);
  }
  return [...found.values()];
}
