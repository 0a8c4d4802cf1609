import { NAMESPACE, type Api, type ObjectName } from './api';
import { capzKinds } from './kinds';
import type { KubernetesObject } from '../../../engine/kubernetes';

/**
 * `clusterctl move`, whose objects were found and whose Cluster was paused before: reads the objects in the version that is stored, makes
 * them in the other cluster, owners first, then takes them away here, without their finalizers. The status stays behind; annotations,
 * finalizers and managed fields go along.
 */
export async function moveObjects(
  from: Api, to: Api, objects: readonly ObjectName[], ownersBefore: ReadonlyMap<string, KubernetesObject['metadata']['ownerReferences']>,
): Promise<void> {
  const uids = new Map<string, string>();
  for (const name of objects) {
    const { metadata, status: _, ...rest } = await from.must(asStored(name));
    const owners = ownersBefore.get(keyOf(name)) ?? [];
    const ownerReferences = owners.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
    const { resourceVersion: _version, uid: _uid, generation: _generation, ...kept } = metadata;
    const made = await to.create({ ...rest, metadata: { ...kept, namespace: NAMESPACE, ownerReferences } });
    uids.set(metadata.uid!, made.metadata.uid!);
  }
  for (const name of [...objects].reverse()) {
    await from.merge(name, { metadata: { finalizers: null } });
    await from.delete(name);
  }
}

/** The owners of objects as `clusterctl` finds them before it pauses the cluster. */
export async function ownersOf(api: Api, objects: readonly ObjectName[]) {
  const found = await Promise.all(objects.map((name) => api.must(name)));
  return new Map(found.map((object) => [keyOf(object), object.metadata.ownerReferences]));
}

function asStored(name: ObjectName): ObjectName {
  const [group] = name.apiVersion.split('/');
  const kind = capzKinds.find((one) => one.group === group && one.kind === name.kind);
  return kind ? { ...name, apiVersion: `${kind.group}/${kind.facts.storageVersion}` } : name;
}

const keyOf = ({ kind, metadata: { name } }: ObjectName): string => `${kind}/${name}`;
