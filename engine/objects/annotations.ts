import { FINALIZER, POLLER_ID, POLLER_TOKEN, WAITING } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';

/** Values of `poller-resume-id`. */
export const CREATE_POLLER = 'GenericClient.CreateOrUpdateByID';
export const DELETE_POLLER = 'GenericClient.DeleteByID';

/** Maximum length of a label value. */
const LABEL_LENGTH = 63;

export function annotation(object: KubernetesObject, key: string): string | undefined {
  return object.metadata.annotations?.[key] || undefined;
}

/** The object with these annotations; undefined or an empty value removes one. Returns the same object when nothing changes. */
export function withAnnotations(object: KubernetesObject, changes: Readonly<Record<string, string | undefined>>): KubernetesObject {
  const annotations = merged(object.metadata.annotations, changes);
  return annotations === object.metadata.annotations ? object : { ...object, metadata: { ...object.metadata, annotations } };
}

export function withLabels(object: KubernetesObject, changes: Readonly<Record<string, string | undefined>>): KubernetesObject {
  const cut: Record<string, string | undefined> = {};
  for (const key of Object.keys(changes)) cut[key] = changes[key]?.slice(0, LABEL_LENGTH).replace(/[^A-Za-z0-9]+$/, '');
  const labels = merged(object.metadata.labels, cut);
  return labels === object.metadata.labels ? object : { ...object, metadata: { ...object.metadata, labels } };
}

export function hasFinalizer(object: KubernetesObject): boolean {
  return object.metadata.finalizers?.includes(FINALIZER) ?? false;
}

export function withFinalizer(object: KubernetesObject): KubernetesObject {
  if (hasFinalizer(object)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), FINALIZER] } };
}

export function withoutFinalizer(object: KubernetesObject): KubernetesObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** The object without the annotations of a running operation. */
export function withoutPoller(object: KubernetesObject): KubernetesObject {
  return withAnnotations(object, { [POLLER_TOKEN]: undefined, [POLLER_ID]: undefined, [WAITING]: undefined });
}

type Texts = Readonly<Record<string, string>>;

/** Returns `old` itself when nothing changes, which is the case in most reconciles. */
function merged(old: Texts | undefined, changes: Readonly<Record<string, string | undefined>>): Texts {
  const names = Object.keys(changes);
  if (old && names.every((name) => (Object.hasOwn(old, name) ? old[name] === changes[name] && old[name] !== '' : !changes[name]))) {
    return old;
  }
  const all: Record<string, string> = { ...old };
  for (const name of names) {
    const value = changes[name];
    if (value) all[name] = value;
    else delete all[name];
  }
  return all;
}
