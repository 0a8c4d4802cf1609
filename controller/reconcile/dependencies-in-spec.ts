import { sharedKeyOf } from './object-key';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { nameFromConfigOf } from '../../engine/resolve/azure-name';
import { versionOf } from '../../engine/resolve/kind-of';
import { ownerOf } from '../../engine/resolve/owner';
import { namedIn } from '../../src/catalog/spec-references';

/** The dependencies in an object's spec, as texts of keys. */
export interface DependenciesInSpec {
  /** Owner, referenced objects, and the Secrets and ConfigMaps that the object reads. */
  readonly needs: readonly string[];
  /** One of the needs. */
  readonly owner?: string | undefined;
  /** Secrets and ConfigMaps that the object writes. */
  readonly gives: readonly string[];
}

const NOTHING: DependenciesInSpec = { needs: [], gives: [] };

/** Reads the spec alone, so before any reconcile. Malformed references are left out: the reconcile reports them. */
export function dependenciesInSpec(object: KubernetesObject): DependenciesInSpec {
  const version = versionOf(object);
  if (!version) return NOTHING;
  const namespace = object.metadata.namespace ?? '';
  const data = (kind: string, name: string) => sharedKeyOf({ group: '', kind, namespace, name });
  try {
    const { references, destinations } = namedIn(object.spec, version);
    const owner = ownerOf(object, version);
    const config = nameFromConfigOf(object, version);
    const needs = references.flatMap((reference) => {
      if (reference.to !== 'resource') return [data(reference.to === 'configMap' ? 'ConfigMap' : 'Secret', reference.name)];
      const { group, kind, name } = reference;
      return group && kind && name ? [sharedKeyOf({ group, kind, namespace, name })] : [];
    });
    const ownerText = owner?.by === 'name' ? sharedKeyOf({ group: owner.group, kind: owner.kind, namespace, name: owner.name }) : undefined;
    if (ownerText !== undefined) needs.push(ownerText);
    if (config) needs.push(data('ConfigMap', config.name));
    return { needs, owner: ownerText, gives: destinations.map(({ store, name }) => data(store, name)) };
  } catch {
    return NOTHING;
  }
}
