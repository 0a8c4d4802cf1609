import { azureNameOf } from './azure-name';
import { versionOf } from './kind-of';
import { ownerOf } from './owner';
import type { ObjectLookup } from './types';
import { sameArmId } from '../../src/azure/arm-id';
import { Catalog, type Kind } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';

/** The resource of which the children are looked for. */
export interface ParentResource {
  readonly object: KubernetesObject;
  readonly armId: string;
}

const NONE: ReadonlyMap<string, string> = new Map();
const kindsOfTypes = new Map<string, readonly Kind[]>();

/**
 * The objects that describe resources of an ARM type directly below a resource: name in Azure, in lower case → `Kind namespace/name`.
 * Undefined: not all objects are known yet.
 */
export function ownChildrenOf(childType: string, parent: ParentResource, lookup: ObjectLookup): ReadonlyMap<string, string> | undefined {
  if (!lookup.list) return NONE;
  const found = new Map<string, string>();
  for (const { group, kind } of kindsOf(childType)) {
    const objects = lookup.list(group, kind);
    if (!objects) return undefined;
    for (const object of objects) {
      const name = nameBelow(object, parent);
      if (name !== undefined) found.set(name.toLowerCase(), `${kind} ${object.metadata.namespace ?? 'default'}/${object.metadata.name}`);
    }
  }
  return found;
}

/** The name in Azure of a child of the resource; undefined: it is none, or its owner cannot be read. */
function nameBelow(object: KubernetesObject, { object: parent, armId }: ParentResource): string | undefined {
  const version = versionOf(object);
  if (!version) return undefined;
  try {
    const owner = ownerOf(object, version);
    const isChild = owner?.by === 'armId'
      ? sameArmId(owner.armId, armId)
      : owner?.name === parent.metadata.name && owner.kind === parent.kind && isBeside(object, parent);
    return isChild ? azureNameOf(object, version) : undefined;
  } catch {
    return undefined;
  }
}

function isBeside(one: KubernetesObject, other: KubernetesObject): boolean {
  return (one.metadata.namespace ?? 'default') === (other.metadata.namespace ?? 'default');
}

function kindsOf(armType: string): readonly Kind[] {
  let kinds = kindsOfTypes.get(armType);
  if (!kinds) {
    const wanted = armType.toLowerCase();
    kinds = Catalog.default().allKinds.filter((kind) => kind.latest.facts.arm?.type.toLowerCase() === wanted);
    kindsOfTypes.set(armType, kinds);
  }
  return kinds;
}
