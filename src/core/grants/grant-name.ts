import { createHash } from 'node:crypto';
import { ApiObject } from 'cdk8s';
import { builtInRoleName } from '../../azure/built-in-roles';
import { withoutTrailing, withoutTrailingSlashes } from '../../azure/trailing-slashes';
import type { ConfigMapValue } from '../config-map-value';
import { Output } from '../output';
import type { AzureResourceReference } from '../resource-reference';

/** Kubernetes allows longer names, but they are hard to read. */
const MAX_LENGTH = 120;

/** `<kind>-<resource>-<role>-<principal>`: the same grant has the same name, whichever construct creates it. */
export function grantName(on: AzureResourceReference, role: AzureResourceReference, to: ConfigMapValue | string): string {
  const name = [on.kind ?? '', nameOf(on), roleName(role), principalName(to)].map(label).filter((part) => part !== '').join('-');
  // Shortened names and names from ids may make two grants look the same; a hash tells them apart.
  const exact = [identity(on), identity(role), typeof to === 'string' ? to.toLowerCase() : `${to.configMapName}/${to.key}`].join('\n');
  const readable = name.length <= MAX_LENGTH && on.armId === undefined && typeof to !== 'string';
  return readable
    ? name
    : `${withoutTrailing(name.slice(0, MAX_LENGTH - 9), '-.')}-${createHash('sha256').update(exact).digest('hex').slice(0, 8)}`;
}

/** `<role>-<principal>`: tells the grants on one resource apart. */
export function grantLabel(role: AzureResourceReference, to: ConfigMapValue | string): string {
  return `${label(roleName(role))}-${label(typeof to === 'string' ? to : principalName(to))}`;
}

function identity({ group, kind, name, armId, wellKnownName }: AzureResourceReference): string {
  return armId?.toLowerCase() ?? wellKnownName ?? `${group}/${kind}/${name}`;
}

function nameOf({ name, armId, wellKnownName }: AzureResourceReference): string {
  return name ?? wellKnownName ?? lastOf(armId ?? '');
}

function roleName(role: AzureResourceReference): string {
  if (role.armId === undefined) return nameOf(role);
  return builtInRoleName(lastOf(role.armId)) ?? lastOf(role.armId);
}

function principalName(to: ConfigMapValue | string): string {
  if (typeof to === 'string') return to.slice(0, 8);
  if (!(to instanceof Output) || !(to.producer instanceof ApiObject)) return `${to.configMapName}-${to.key}`;
  return to.outputName === 'principalId' ? to.producer.name : `${to.producer.name}-${to.outputName}`;
}

function lastOf(armId: string): string {
  return withoutTrailingSlashes(armId).split('/').pop() ?? '';
}

function label(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
