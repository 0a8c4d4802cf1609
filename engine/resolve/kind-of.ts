import { Catalog, type Kind, type KindVersion } from '../../src/catalog';
import { groupOf, versionNameOf } from '../../src/object-id';
import type { KubernetesObject } from '../kubernetes/types';

/** The catalog's kind of an object; undefined when the catalog does not have it. */
export function kindOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, catalog = Catalog.default()): Kind | undefined {
  return catalog.kind(groupOf(object), object.kind);
}

/** `storageaccounts.storage.azure.com`: a kind as the API server names it in "not found". */
export function resourceNameOf(group: string, kind: string): string {
  return Catalog.default().kind(group, kind)?.crdName ?? `${kind}.${group}`;
}

/** The catalog's version of an object; undefined when the catalog does not have it. */
export function versionOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, catalog = Catalog.default()): KindVersion | undefined {
  return kindOf(object, catalog)?.version(versionNameOf(object));
}
