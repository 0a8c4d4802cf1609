import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { versionOf } from '../../../engine/resolve/kind-of';
import { versionNameOf } from '../../../src/object-id';
import type { ObjectReconcile, ReconcileRequest } from '../object-reconcile';

/**
 * The object in the version in which it was applied. The API server returns the version of the URL, without members that this version
 * lacks, and each kind is watched in one version only; so an object of another version is read once more.
 */
export async function readAsApplied(
  { options, watched: { type } }: ReconcileRequest, cached: KubernetesObject,
): Promise<KubernetesObject> {
  const version = versionNameOf(cached);
  if (version === type.version) return cached;
  const { name, namespace } = cached.metadata;
  const applied = await options.client.get({ ...type, version }, name, namespace);
  return applied ? { ...applied, apiVersion: cached.apiVersion } : cached;
}

/** Finds the memory of the object that was read, and its kind in the catalog. */
export function startReconcile(request: ReconcileRequest, object: KubernetesObject): ObjectReconcile {
  const { key, watched, state: { memories }, options: { cluster, dependencies, externals } } = request;
  const memory = memories.of(key, object);
  memories.confirmAnew(memory, object);
  // A version that the catalog does not have (any more) is read as the watched one.
  const version = versionOf(object) ?? versionOf({ apiVersion: `${key.group}/${watched.type.version}`, kind: key.kind });
  if (!version) throw new Error(`the catalog has no ${object.kind} of ${object.apiVersion}`);
  const lookup = cluster.lookup((needed) => dependencies.add(key, needed, needed.group === '' ? 'import' : 'object'));
  const external = externals?.(version.kind.group, version.kind.kind);
  return { ...request, object, memory, version, external, lookup };
}
