import { identityErrors } from './write-once';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { FINALIZER } from '../../../src/azure/annotations';
import type { KindVersion } from '../../../src/catalog';
import { ownValue } from '../../../src/util/elements';
import { isRecord, ownMember } from '../../../src/util/records';
import { asText } from '../../../src/util/words';

/** A rule of one kind. `old`: on UPDATE. */
type Check = (version: KindVersion, object: KubernetesObject, old: KubernetesObject | undefined) => string[];

const MANAGED_DOMAIN = 'AzureManagedDomain';

/**
 * Rules that are in no schema (docs/spec/webhooks.md#rules-of-single-kinds; docs/spec/users.md#mysql-admission and
 * docs/spec/users.md#azure-sql-admission).
 */
const CHECKS: Readonly<Record<string, Check>> = {
  'communication.azure.com/Domain': domain,
  'communication.azure.com/SenderUsername': sender,
  'dbformysql.azure.com/User': mysqlUser,
  'sql.azure.com/User': sqlUser,
};

export function singleKindErrors(version: KindVersion, object: KubernetesObject, old?: KubernetesObject): string[] {
  return ownValue(CHECKS, `${version.kind.group}/${version.kind.kind}`)?.(version, object, old) ?? [];
}

function domain(_: KindVersion, object: KubernetesObject): string[] {
  if (specOf(object, 'domainManagement') !== 'AzureManaged' || sameText(azureName(object), MANAGED_DOMAIN)) return [];
  return [`spec.azureName must be "${MANAGED_DOMAIN}" when spec.domainManagement is "AzureManaged", but is "${azureName(object)}": Azure gives such a domain its name`];
}

function sender(_: KindVersion, object: KubernetesObject): string[] {
  const username = specOf(object, 'username');
  if (typeof username !== 'string' || username === '' || sameText(username, azureName(object))) return [];
  return [`spec.username is "${username}", but spec.azureName is "${azureName(object)}": they must be equal (upper and lower case aside)`];
}

const VARIANTS = ['localUser', 'aadUser'] as const;

function mysqlUser(version: KindVersion, object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const given = variantsOf(object);
  const errors: string[] = [];
  if (given.length !== 1) {
    errors.push(`exactly one of spec.localUser and spec.aadUser must be set, but ${given.length === 0 ? 'neither is' : 'both are'}`);
  }
  if (!old) return errors;
  const [before, after] = [variantsOf(old), given];
  if (before.length === 1 && after.length === 1 && before[0] !== after[0]) {
    errors.push(`cannot change from spec.${before[0]} to spec.${after[0]}: delete the user and create it anew`);
  }
  const alias = (of: KubernetesObject) => ownMember(asObject(specOf(of, 'aadUser')), 'alias') ?? '';
  if (before.includes('aadUser') && after.includes('aadUser') && alias(old) !== alias(object)) {
    errors.push(`spec.aadUser.alias cannot be changed from "${asText(alias(old))}" to "${asText(alias(object))}": it is the user's name in the database`);
  }
  return [...errors, ...whenClaimed(version, object, old)];
}

function sqlUser(version: KindVersion, object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const owner = asObject(specOf(object, 'owner'));
  const byId = ownMember(owner, 'armId')
    ? ['spec.owner.armId is not supported: name the ServersDatabase in spec.owner.name, so that its server can be found']
    : [];
  return [...byId, ...(old ? whenClaimed(version, object, old) : [])];
}

/** Users have no resource-id: from the finalizer on, the database may have the user. */
function whenClaimed(version: KindVersion, object: KubernetesObject, old: KubernetesObject): string[] {
  return object.metadata.finalizers?.includes(FINALIZER) ? identityErrors(version, object, old) : [];
}

function variantsOf(object: KubernetesObject): string[] {
  return VARIANTS.filter((name) => isRecord(specOf(object, name)));
}

/** The name that defaulting sets for an empty one. */
function azureName(object: KubernetesObject): string {
  const name = specOf(object, 'azureName');
  return typeof name === 'string' && name !== '' ? name : object.metadata.name;
}

function specOf({ spec }: KubernetesObject, key: string): unknown {
  return isRecord(spec) ? ownMember(spec, key) : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
