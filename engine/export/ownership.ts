import type { KubernetesObject, OwnerReference } from '../kubernetes/types';
import { ownerReferencesOf } from '../objects/owner-references';

/** The owner reference of exported objects: in a version that the cluster serves, without `controller` and `blockOwnerDeletion`. */
export function ownerReferenceOf({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' };
}

/** Whether the owner may overwrite an existing Secret or ConfigMap: the object has a reference with the owner's uid. */
export function ownedBy(existing: KubernetesObject, owner: KubernetesObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && uid !== '' && ownerReferencesOf(existing).some((reference) => reference.uid === uid);
}
