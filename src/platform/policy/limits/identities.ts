import { AZURE_NAME, either, OF_AZURE, ofType, OWNER_ID } from './facts';
import {
  all,
  any,
  Condition,
  contains,
  endsWith,
  everyAt,
  is,
  lower,
  matches,
  member,
  not,
  OBJECT,
  oneOf,
  present,
  Text,
  valuesAt,
} from '../condition';
import type { Limit } from '../limit';
import { referencePathsOf } from '../reference-paths';
import { patternOf } from '../reserved-names';
import { NOT_IN_IDS } from '../shared-ids';
import type { TeamPolicy } from '../team-policy';

const IDENTITY = 'managedidentity.azure.com/UserAssignedIdentity';
const FEDERATION = 'managedidentity.azure.com/FederatedIdentityCredential';
const PART = '/userassignedidentities/';
/** The name in Azure is in the spec or is the object's. */
const NAME_IS_KNOWN = not(present(member(OBJECT, 'spec', 'azureNameFromConfig')));

export function identityLimits(policy: TeamPolicy): Limit[] {
  return [...operatorIdentityLimits(policy), ...platformIdentityLimits(policy)];
}

/**
 * The identity under which the operator acts for the team may be in the team's own resource group. A user who adds a federated credential
 * to it, adopts it with an object, or runs a resource with it, gets the operator's rights.
 */
function operatorIdentityLimits({ entries, protectedIdentities }: TeamPolicy): Limit[] {
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
      holds: all(NAME_IS_KNOWN, not(oneOf(lower(AZURE_NAME), names))),
      field: 'spec.azureName',
      found: AZURE_NAME,
    },
    ...entries.filter(({ creates }) => creates).flatMap((known) => referencePathsOf(known.kind).map((path): Limit => ({
      ...limit,
      concerns: ofType(known.type),
      holds: everyAt(path, (value) => any(is(value, ''), all(not(contains(value, NOT_IN_IDS)), not(isOne(lower(value), names))))),
      field: `spec.${path.text}`,
      found: { read: (environment) => valuesAt(path, environment).join(', ') },
    }))),
  ];
}

/**
 * The identities of the team's pods and services are in the team's own groups, with objects in the platform's namespace. An object of the
 * team for one of them, or for a federated credential on it, would take it over, and its deletion would delete it.
 */
function platformIdentityLimits({ entries, reservedNames: { identities, federations } }: TeamPolicy): Limit[] {
  const creates = (kind: string) => entries.some((known) => known.creates && known.type === kind);
  const limit = { id: 'self-service-platform-identity', field: 'spec.azureName', found: AZURE_NAME, option: 'platformIdentities' };
  const isReserved = (names: readonly string[]) => matches(lower(AZURE_NAME), `^${patternOf(names)}$`);
  return [
    ...(identities.length > 0 && creates(IDENTITY) ? [{
      ...limit,
      concerns: ofType(IDENTITY),
      holds: all(NAME_IS_KNOWN, not(isReserved(identities))),
      rule: `may not be ${either(identities)}: the platform makes these identities, and an object of the team would take them over.`,
    }] : []),
    ...(identities.length > 0 && federations.length > 0 && creates(FEDERATION) ? [{
      ...limit,
      concerns: all(ofType(FEDERATION), matches(OWNER_ID, `${PART}${patternOf(identities)}/*$`)),
      holds: all(NAME_IS_KNOWN, not(isReserved(federations))),
      rule: `may not be ${either(federations)} on an identity of the platform, which makes federated credentials of these names.`,
    }] : []),
  ];
}

/** Ignores resource group and subscription, so that another spelling of an id does not bypass the limit. */
function isOne(id: Text, names: readonly string[]): Condition {
  return any(endsWith(id, names.map((name) => `${PART}${name}`)), contains(id, names.map((name) => `${PART}${name}/`)));
}
