import { KUBECTL_LAST_APPLIED } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';
import { SharedTexts } from '../shared-texts';

const texts = new SharedTexts();

/**
 * The object as an informer keeps it: without the manifest of `kubectl apply`, which is as large as the spec, and with texts that it shares
 * with other objects. Only for objects whose metadata is written by patches: a PUT would remove the annotation.
 */
export function compactObject(object: KubernetesObject): KubernetesObject {
  const compact = withoutManifest(object);
  texts.share(compact);
  return compact;
}

/** The same for objects of which only the metadata is kept. The manifest would hold all values of a Secret or ConfigMap. */
export function compactMetadata(object: KubernetesObject): KubernetesObject {
  const compact = withoutManifest(object);
  texts.share(compact.metadata);
  return compact;
}

function withoutManifest(object: KubernetesObject): KubernetesObject {
  const { annotations } = object.metadata;
  if (annotations?.[KUBECTL_LAST_APPLIED] === undefined) return object;
  const { [KUBECTL_LAST_APPLIED]: _, ...others } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: others } };
}
