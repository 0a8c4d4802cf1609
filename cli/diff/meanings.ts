import type { Pairing } from './pairing';
import type { Meanings } from './property-changes';
import { foldedId, type AzureItem, type Synth } from './synth';
import { armTypeOf, parseArmId } from '../../src/azure/arm-id';
import { builtInRoleId, builtInRoleName } from '../../src/azure/built-in-roles';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { graphKeyOf, type Target } from '../../src/core/graph/graph-object';
import { objectTitleOf } from '../../src/object-id';
import { text, type Struct } from '../../src/util/records';

const ROLE_DEFINITION = /\/providers\/Microsoft\.Authorization\/roleDefinitions\/([^/]+)\/?$/i;

/** Resolves the references of an object. */
export function meaningsOf(item: AzureItem, side: Synth, pairing: Pairing): Meanings {
  return {
    identity: (reference) => identityOf(targetIn(reference), item, side, pairing) ?? JSON.stringify(reference),
    describe: (reference) => roleOf(reference)?.name ?? describe(targetIn(reference), item, side),
  };
}

/** Equal for the same Azure resource in both synths; undefined when the reference is empty. */
export function identityOf(target: Omit<Target, 'path'> | undefined, item: AzureItem, side: Synth, pairing: Pairing): string | undefined {
  if (!target) return undefined;
  const role = target.armId === undefined ? undefined : ROLE_DEFINITION.exec(target.armId)?.[1];
  // The id of a role definition is unique, so its subscription does not matter.
  if (role !== undefined) return `role ${role.toLowerCase()}`;
  if (target.armId !== undefined) return pairing.identityOfId(target.armId, side);
  const found = side.targetOf(item, target);
  if (found) return pairing.identityOf(found, side);
  return target.name === undefined
    ? undefined
    : pairing.identityOfMissing(graphKeyOf(target.group, target.kind ?? '', item.inNamespace, target.name), side);
}

/** `StorageAccount shop/files`, or a description of the ARM id. */
export function describe(target: Omit<Target, 'path'> | undefined, item: AzureItem, side: Synth): string {
  if (!target) return '(nothing)';
  const found = side.targetOf(item, target);
  if (found) return objectTitleOf(found);
  if (target.armId !== undefined) return describeId(target.armId);
  return `${target.kind ?? '?'} ${item.inNamespace}/${target.name ?? '?'}`;
}

/** `storageAccounts/files in resource group shop` */
export function describeId(armId: string): string {
  const id = withoutTrailingSlashes(armId);
  const parts = parseArmId(id);
  if (!parts) return armId;
  const { provider, types, names, resourceGroup, subscriptionId } = parts;
  if (!provider) return resourceGroup === undefined ? `subscription ${subscriptionId}` : `resource group ${resourceGroup}`;
  const type = armTypeOf(id)?.split('/').slice(1).join('/') ?? types.join('/');
  return `${type} ${names.join('/')}${resourceGroup === undefined ? '' : ` in resource group ${resourceGroup}`}`;
}

export interface Role {
  /** Equal for the same role, by name or by id. */
  readonly key: string;
  readonly name: string;
}

/** The role that a reference names by its well-known name or its ARM id. */
export function roleOf(reference: Struct): Role | undefined {
  const wellKnown = text(reference, 'wellKnownName');
  if (wellKnown !== undefined) return roleByName(wellKnown);
  const id = ROLE_DEFINITION.exec(text(reference, 'armId') ?? '')?.[1];
  return id === undefined ? undefined : { key: `role ${id.toLowerCase()}`, name: builtInRoleName(id) ?? `role ${id}` };
}

function roleByName(name: string): Role {
  const id = builtInRoleId(name)?.toLowerCase();
  return {
    key: id === undefined ? `role ${name.toLowerCase()}` : `role ${id}`,
    name: (id === undefined ? undefined : builtInRoleName(id)) ?? name,
  };
}

function targetIn(reference: Struct): Omit<Target, 'path'> | undefined {
  const armId = text(reference, 'armId');
  if (armId !== undefined) return { armId };
  const role = roleOf(reference);
  if (role) return { armId: `/providers/Microsoft.Authorization/roleDefinitions/${role.key.slice('role '.length).replace(/[/\s]/g, '-')}` };
  const name = text(reference, 'name');
  if (name === undefined) return undefined;
  const [group, kind] = [text(reference, 'group'), text(reference, 'kind')];
  return { ...(group === undefined ? {} : { group }), ...(kind === undefined ? {} : { kind }), name };
}

/** The owner's identity; a resource without an owner belongs to the subscription of its credential. */
export function ownerIdentity(item: AzureItem, side: Synth, pairing: Pairing): string | undefined {
  return identityOf(item.facts.owner, item, side, pairing);
}

/** The owner's names in the form that the webhook compares. */
export function writtenOwner(item: AzureItem): string {
  const { owner } = item.facts;
  return owner === undefined
    ? ''
    : owner.armId === undefined
      ? `${owner.group ?? ''}/${owner.kind ?? ''} ${owner.name ?? ''}`
      : foldedId(owner.armId)!;
}
