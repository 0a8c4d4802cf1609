import { ResolutionError, type ObjectLookup, type Owner } from './types';
import type { KindVersion } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * The owner that an object's spec names, or undefined where it names none (the kind has no owner, or the member is absent).
 * Throws ResolutionError for an owner that is named in two ways or half (webhooks.md 4.2).
 */
export function ownerOf(object: KubernetesObject, version: KindVersion): Owner | undefined {
  const property = version.specProperty('owner')?.[0];
  const value = property && object.spec && Object.hasOwn(object.spec, property) ? object.spec[property] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('spec.owner is not an object');
  const text = (key: string): string | undefined => {
    const member = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (member === undefined || member === null || member === '') return undefined;
    if (typeof member !== 'string') throw invalid(`spec.owner.${key} is not a text`);
    return member;
  };
  const armId = text('armId');
  const name = text('name');
  const known = typeof version.facts.owner === 'object' ? version.facts.owner : undefined;
  const group = known ? known.group : text('group');
  const kind = known ? known.kind : text('kind');
  if (armId) {
    if (name || (!known && (group || kind))) {
      throw invalid(`the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: ${armId}`);
    }
    return { by: 'armId', armId };
  }
  if (!name && (known || (!group && !kind))) {
    throw invalid("at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference");
  }
  if (!group || !kind || !name) {
    throw invalid(`when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: Group: ${quoted(group)}, Kind: ${quoted(kind)}, Name: ${quoted(name)}`);
  }
  return { by: 'name', group, kind, name };
}

/** How conditions print an owner: `<name>, Group/Kind: <group>/<kind>`, or its ARM id. */
export function describeOwner(owner: Owner): string {
  return owner.by === 'armId' ? owner.armId : `${owner.name}, Group/Kind: ${owner.group}/${owner.kind}`;
}

/**
 * The Kubernetes object that owns, if the owner is one. Throws `WaitingForOwner` unless it exists and is Ready: what the claim waits for
 * (controller.md 4.2). An owner by ARM id never waits.
 */
export function readyOwnerOf(object: KubernetesObject, version: KindVersion, lookup: ObjectLookup): KubernetesObject | undefined {
  const owner = ownerOf(object, version);
  if (owner?.by !== 'name') return undefined;
  const found = lookup.find(owner.group, owner.kind, object.metadata.namespace ?? 'default', owner.name);
  if (found && isReady(found)) return found;
  throw new ResolutionError(
    'WaitingForOwner',
    'Warning',
    `Owner "${describeOwner(owner)}" cannot be found. Progress is blocked until the owner is created.`,
  );
}

function isReady(object: KubernetesObject): boolean {
  return object.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

function invalid(message: string): ResolutionError {
  return new ResolutionError('ReferenceNotFound', 'Warning', message);
}

function quoted(text: string | undefined): string {
  return JSON.stringify(text ?? '');
}
