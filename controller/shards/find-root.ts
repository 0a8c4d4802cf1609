import type { KubernetesObject } from '../../engine/kubernetes/types';
import { versionOf } from '../../engine/resolve/kind-of';
import { ownerOf } from '../../engine/resolve/owner';
import type { Owner } from '../../engine/resolve/types';
import { Catalog } from '../../src/catalog';
import type { ObjectId } from '../../src/object-id';

/** The longest chain of owners in Azure has five objects; a spec may name a longer one. */
const MAX_CHAIN = 16;
/** Characters of a root. Tenants write names and ids; what is longer shares a tree with what begins alike. */
const MAX_ROOT = 512;

export interface Root {
  /** `kind.group/name`, or `arm:<id>` where an owner is named by its ARM id, so that siblings in Azure are in one tree. */
  readonly root: string;
  /** Whether the object's own spec alone gives the root. */
  readonly isOwn: boolean;
}

/**
 * The furthest owner that the specs name, whether it exists or not: the tree of an object. A cycle, or a chain of more than 16 objects, has
 * the smallest name in it as its root.
 *
 * @param find an object; undefined: it does not exist; `unknown`: that is not known
 * @returns undefined: not known
 */
export function findRoot(object: ObjectId, find: (key: ObjectId) => KubernetesObject | undefined | 'unknown'): Root | undefined {
  const chain: string[] = [];
  let key = object;
  for (;;) {
    const name = nameOf(key);
    const isOwn = chain.length <= 1;
    const begin = chain.indexOf(name);
    if (begin >= 0) return { root: smallest(chain.slice(begin)), isOwn: false };
    if (chain.length === MAX_CHAIN) return { root: smallest(chain), isOwn: false };
    chain.push(name);
    if (!mayHaveOwner(key)) return { root: name, isOwn };
    const found = find(key);
    if (found === 'unknown') return undefined;
    // An owner that is absent here may have an owner elsewhere.
    if (!found) return { root: name, isOwn: false };
    const owner = ownerIn(found);
    if (!owner) return { root: name, isOwn: chain.length === 1 };
    if (owner.by === 'armId') return { root: `arm:${owner.armId.toLowerCase()}`.slice(0, MAX_ROOT), isOwn: chain.length === 1 };
    key = { group: owner.group, kind: owner.kind, namespace: object.namespace, name: owner.name };
  }
}

/** The owner that the spec names; undefined: none, or one that cannot be understood. */
export function ownerIn(object: KubernetesObject): Owner | undefined {
  const known = owners.get(object);
  if (known !== undefined) return known ?? undefined;
  const owner = readOwner(object);
  owners.set(object, owner ?? null);
  return owner;
}

/** Objects in a cache do not change, and are asked about before each write. */
const owners = new WeakMap<KubernetesObject, Owner | null>();

function readOwner(object: KubernetesObject): Owner | undefined {
  const version = versionOf(object);
  if (!version) return undefined;
  try {
    return ownerOf(object, version);
  } catch {
    // The reconcile reports it.
    return undefined;
  }
}

function mayHaveOwner({ group, kind }: ObjectId): boolean {
  const known = Catalog.default().kind(group, kind);
  return known?.version(known.facts.storageVersion)?.specProperty('owner') !== undefined;
}

function nameOf({ group, kind, name }: ObjectId): string {
  return `${kind}.${group}/${name}`.slice(0, MAX_ROOT);
}

function smallest(names: readonly string[]): string {
  return names.reduce((least, name) => (name < least ? name : least));
}
