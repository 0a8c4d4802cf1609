import { referenceProblem } from './references';
import { ResolutionError, type ObjectLookup, type Owner } from './types';
import type { KindVersion } from '../../src/catalog';
import { isRecord } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * The owner that an object's spec names; undefined when it names none (the kind has no owner, or the member is absent). Throws
 * ResolutionError for an owner with two forms or an incomplete one (docs/spec/webhooks.md#references-and-owners).
 */
export function ownerOf(object: KubernetesObject, version: KindVersion): Owner | undefined {
  const property = version.specProperty('owner')?.[0];
  const value = property && object.spec && Object.hasOwn(object.spec, property) ? object.spec[property] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw invalid('spec.owner is not an object');
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
  // If the kind fixes group and kind, they are added for names only: an ARM id needs none.
  const problem = referenceProblem(known && armId ? { armId, name } : { armId, group, kind, name });
  if (problem !== undefined) throw invalid(problem);
  if (armId) return { by: 'armId', armId };
  return { by: 'name', group: group!, kind: kind!, name: name! };
}

/** The owner in the form of conditions: `<name>, Group/Kind: <group>/<kind>`, or its ARM id. */
export function describeOwner(owner: Owner): string {
  return owner.by === 'armId' ? owner.armId : `${owner.name}, Group/Kind: ${owner.group}/${owner.kind}`;
}

/**
 * The owner if it is a Kubernetes object. Throws `WaitingForOwner` unless it exists and is Ready: the claim waits for that
 * (docs/spec/reconcile.md#claim). An owner by ARM id never waits.
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
