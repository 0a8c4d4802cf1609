import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ownerOf, referencesOf } from '../../engine/resolve';
import type { KindVersion } from '../../src/catalog';
import { groupOf, objectKeyOf } from '../../src/object-id';
import { elementAt } from '../../src/util/elements';
import { isText, member, struct } from '../../src/util/records';
import { appliedKeyOf, describeManifest, describeObject, fieldOf, namespaceOf, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';

interface Node {
  readonly manifest: Manifest;
  readonly object: KubernetesObject;
  readonly version: KindVersion;
}

/**
 * The objects that each object waits for, as indexes: its owner, what it refers to, and who writes the ConfigMaps and Secrets that it
 * reads.
 */
export function dependenciesOf(nodes: readonly Node[]): Set<number>[] {
  const byKey = new Map(
    nodes.map(({ object }, index) => [appliedKeyOf(object), index]),
  );
  const writers = new Map<string, Set<number>>();
  nodes.forEach(({ object }, index) => {
    for (const key of exportsOf(object)) {
      const known = writers.get(key);
      if (known) known.add(index);
      else writers.set(key, new Set([index]));
    }
  });
  return nodes.map(({ object, version }, index) => {
    const namespace = namespaceOf(object);
    const found = new Set<number>();
    const add = (other: number | undefined) => {
      if (other !== undefined) found.add(other);
    };
    const owner = ownerOf(object, version);
    if (owner?.by === 'name') add(byKey.get(objectKeyOf({ ...owner, namespace })));
    for (const reference of referencesOf(object.spec, version)) {
      if (reference.to === 'resource') {
        if (reference.group && reference.kind && reference.name) {
          add(byKey.get(objectKeyOf({ group: reference.group, kind: reference.kind, namespace, name: reference.name })));
        }
        continue;
      }
      const store = reference.to === 'configMap' ? 'ConfigMap' : 'Secret';
      const key = reference.to === 'secretMap' ? undefined : reference.key;
      for (const writer of writersOf(writers, `${store}/${namespace}/${reference.name}`, key)) {
        // An object that reads what it writes itself waits for nobody else.
        if (writer !== index) add(writer);
      }
    }
    return found;
  });
}

/** The writers of a key of a store; where none is known, all writers of the store. */
function writersOf(writers: ReadonlyMap<string, ReadonlySet<number>>, store: string, key: string | undefined): Iterable<number> {
  const exact = key === undefined ? undefined : writers.get(`${store}/${key}`);
  return exact ?? writers.get(store) ?? [];
}

/** `Store/namespace/name` and `Store/namespace/name/key` of everything that an object's `operatorSpec` writes. */
function exportsOf(object: KubernetesObject): string[] {
  const namespace = namespaceOf(object);
  return Object.entries(struct(member(object.spec, 'operatorSpec')) ?? {}).flatMap(([property, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const store = /^secret/i.test(property) ? 'Secret' : 'ConfigMap';
    return Object.values(value).flatMap((destination: unknown) => {
      const [name, key] = [member(destination, 'name'), member(destination, 'key')];
      if (!isText(name)) return [];
      const whole = `${store}/${namespace}/${name}`;
      return isText(key) ? [whole, `${whole}/${key}`] : [whole];
    });
  });
}

/** One line for objects that wait for each other. */
export function cycleProblem(cycle: readonly number[], nodes: readonly Node[]): Problem {
  const members = cycle.map((index) => elementAt(nodes, index));
  const [first, ...others] = members;
  if (first === undefined) throw new RangeError('a cycle of no objects');
  const { manifest } = first;
  const path = members.map(({ object }) => describeObject(object)).join(' -> ');
  // The cycle is a closed path, so every member but the last has another one after it.
  const owners = others.every(({ object: next }, i) => {
    const { object, version } = elementAt(members, i);
    const owner = ownerOf(object, version);
    return owner?.by === 'name' && owner.kind === next.kind && owner.group === groupOf(next) && owner.name === next.metadata.name;
  });
  return {
    file: manifest.file,
    line: manifest.line,
    object: describeManifest(manifest),
    field: owners ? fieldOf(manifest, 'spec.owner') : undefined,
    message: `${owners ? 'owners form a cycle' : 'objects wait for each other'}: ${path}`,
    fix: owners ? 'give one of them another owner' : 'remove one of the references, or give an armId there',
  };
}
