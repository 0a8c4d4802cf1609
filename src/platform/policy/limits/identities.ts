import { AZURE_NAME, OF_AZURE, ofType, OWNER_ID } from './facts';
import {
  all,
  any,
  Condition,
  contains,
  endsWith,
  everyAt,
  is,
  lower,
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
import { NOT_IN_IDS } from '../shared-ids';
import type { TeamPolicy } from '../team-policy';

const IDENTITY = 'managedidentity.azure.com/UserAssignedIdentity';
const PART = '/userassignedidentities/';

/**
 * The identity under which the operator acts for the team may be in the team's own resource group. A user who adds a federated credential
 * to it, adopts it with an object, or runs a resource with it, gets the operator's rights.
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
    ...entries.filter(({ creates }) => creates).flatMap((known) => referencePathsOf(known.kind).map((path): Limit => ({
      ...limit,
      concerns: ofType(known.type),
      holds: everyAt(path, (value) => any(is(value, ''), all(not(contains(value, NOT_IN_IDS)), not(isOne(lower(value), names))))),
      field: `spec.${path.text}`,
      found: { read: (environment) => valuesAt(path, environment).join(', ') },
    }))),
  ];
}

/** Ignores resource group and subscription, so that another spelling of an id does not bypass the limit. */
function isOne(id: Text, names: readonly string[]): Condition {
  return any(endsWith(id, names.map((name) => `${PART}${name}`)), contains(id, names.map((name) => `${PART}${name}/`)));
}
