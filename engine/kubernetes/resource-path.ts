import type { ResourceType } from './types';

/** `/api/v1` or `/apis/<group>/<version>`. */
export function groupVersionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The URL path of a collection; without a namespace: of all namespaces. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const inside = type.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupVersionPath(type.group, type.version)}${inside}/${type.plural}`;
}

/** The URL path of one object. */
export function objectPath(type: ResourceType, name: string, namespace?: string): string {
  if (type.namespaced && !namespace) throw new TypeError(`${type.kind} ${name} is namespaced: its URL needs a namespace`);
  if (!name) throw new TypeError(`${type.kind}: the URL of an object needs a name`);
  return `${collectionPath(type, namespace)}/${encodeURIComponent(name)}`;
}
