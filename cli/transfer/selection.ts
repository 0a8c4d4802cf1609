import type { Item, Selection } from './types';
import type { KubernetesObject, OwnerReference, ResourceType } from '../../engine/kubernetes/types';
import { ownerOf } from '../../engine/resolve';
import { ADOPT, POLICY_BEFORE_TRANSFER, RECONCILE_POLICY } from '../../src/azure/annotations';
import { Catalog, destinationsOf, referencesOf, type KindVersion } from '../../src/catalog';
import { apiVersionOf, groupOf, parseApiVersion } from '../../src/object-id';

/** `group/Kind/name` of an object of one namespace. */
export function itemKey(group: string, kind: string, name: string): string {
  return `${group}/${kind}/${name}`;
}

export function itemKeyOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return itemKey(groupOf({ apiVersion }), kind, metadata.name);
}

/** The objects that are transferred, and what they need. */
export function selectionOf(objects: readonly KubernetesObject[], types: readonly ResourceType[], catalog = Catalog.default()): Selection {
  const items = objects.flatMap((object): Item[] => {
    const { group, version } = parseApiVersion(object.apiVersion);
    const type = types.find((each) => each.group === group && each.kind === object.kind);
    if (!type) return [];
    const { annotations = {}, name, uid = '' } = object.metadata;
    return [{
      key: itemKeyOf(object),
      type: { ...type, version },
      name,
      uid,
      // An object that is held by a transfer whose journal is gone: its policy is that of before.
      policy: (annotations[POLICY_BEFORE_TRANSFER] ?? annotations[RECONCILE_POLICY]) || undefined,
      adopt: annotations[ADOPT],
      needs: needsOf(object, catalog.kind(group, object.kind)?.version(version)),
    }];
  });
  const byKey = new Map(objects.map((object) => [itemKeyOf(object), object]));
  return { items: inOrder(items), objects: byKey, values: valuesOf(objects, catalog) };
}

/** Owner and references by name. A malformed owner is none: the object has a condition that says so. */
function needsOf(object: KubernetesObject, version: KindVersion | undefined): string[] {
  if (!version) return [];
  const owner = ownerKey(object, version);
  const references = referencesOf(object.spec, version).flatMap((reference) =>
    (reference.to === 'resource' && reference.name !== undefined ? [itemKey(reference.group ?? '', reference.kind ?? '', reference.name)] : []));
  return [...new Set([...(owner === undefined ? [] : [owner]), ...references])];
}

/** The key of the owner; undefined where it is none of the cluster. */
export function ownerKey(object: KubernetesObject, version: KindVersion): string | undefined {
  try {
    const owner = ownerOf(object, version);
    return owner?.by === 'name' ? itemKey(owner.group, owner.kind, owner.name) : undefined;
  } catch {
    return undefined;
  }
}

/** Secrets and ConfigMaps that are read and that no object of the selection writes. */
function valuesOf(objects: readonly KubernetesObject[], catalog: Catalog): string[] {
  const read = new Set<string>();
  const written = new Set(exportsOf(objects, catalog).map(({ key }) => key));
  for (const object of objects) {
    const { group, version: name } = parseApiVersion(object.apiVersion);
    const version = catalog.kind(group, object.kind)?.version(name);
    if (!version) continue;
    for (const reference of referencesOf(object.spec, version)) {
      if (reference.to === 'secret' || reference.to === 'secretMap') read.add(`Secret/${reference.name}`);
      if (reference.to === 'configMap') read.add(`ConfigMap/${reference.name}`);
    }
  }
  return [...read].filter((key) => !written.has(key)).sort();
}

/** Secrets and ConfigMaps that objects write, as `Kind/name`, each with the first that writes it. */
export function exportsOf(
  objects: readonly KubernetesObject[], catalog = Catalog.default(),
): { readonly key: string; readonly exporter: KubernetesObject }[] {
  const found = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const { group, version: name } = parseApiVersion(object.apiVersion);
    const version = catalog.kind(group, object.kind)?.version(name);
    if (!version) continue;
    for (const { store, name: destination } of destinationsOf(object.spec, version)) {
      const key = `${store}/${destination}`;
      if (!found.has(key)) found.set(key, object);
    }
  }
  return [...found].map(([key, exporter]) => ({ key, exporter }));
}

/** Owners and referenced objects first. Items of a cycle come in the order of their keys. */
function inOrder(items: readonly Item[]): Item[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const ordered: Item[] = [];
  const seen = new Set<string>();
  const stack: { readonly item: Item; next: number }[] = [];
  for (const first of [...items].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (seen.has(first.key)) continue;
    seen.add(first.key);
    stack.push({ item: first, next: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const need = top.item.needs[top.next];
      top.next += 1;
      if (need === undefined) {
        ordered.push(top.item);
        stack.pop();
        continue;
      }
      const found = byKey.get(need);
      if (!found || seen.has(need)) continue;
      seen.add(need);
      stack.push({ item: found, next: 0 });
    }
  }
  return ordered;
}

/** Objects that are no items, and that Kubernetes deletes with an owner that is one. */
export function childrenLeft(all: readonly KubernetesObject[], items: readonly Item[]): KubernetesObject[] {
  const selected = new Set(items.map(({ key }) => key));
  const isOwner = (owner: OwnerReference) => selected.has(itemKey(groupOf(owner), owner.kind, owner.name));
  return all.filter((object) => !selected.has(itemKeyOf(object)) && (object.metadata.ownerReferences ?? []).some(isOwner));
}

/** The title of an item in messages: `StorageAccount data`. */
export function itemTitleOf({ type, name }: Item): string {
  return `${type.kind} ${name}`;
}

/** The apiVersion of an item. */
export function apiVersionOfItem({ type }: Item): string {
  return apiVersionOf(type);
}
