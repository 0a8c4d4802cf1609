import type { KubernetesObject, ObjectMeta, ResourceType } from '../../engine/kubernetes/types';

/** An answer of the API server as it is kept: with apiVersion and kind, which it may omit, and without managed fields. */
export function wholeObject({ version, kind }: ResourceType, object: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata as ObjectMeta & { managedFields?: unknown };
  return { ...object, apiVersion: version, kind, metadata };
}

/** Whether the object is the one that the metadata describes, in the same version. */
export function isOfVersion(object: KubernetesObject | undefined, metadata: ObjectMeta | undefined): boolean {
  return object !== undefined && metadata?.resourceVersion !== undefined
    && object.metadata.uid === metadata.uid && object.metadata.resourceVersion === metadata.resourceVersion;
}
