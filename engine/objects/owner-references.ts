import type { KubernetesObject, OwnerReference } from '../kubernetes/types';

/** The owner references of an object, without what is none: an object that was read need not be of the form that the API server gives it. */
export function ownerReferencesOf({ metadata }: KubernetesObject): OwnerReference[] {
  const references: unknown = metadata.ownerReferences;
  return Array.isArray(references) ? references.filter(isReference) : [];
}

function isReference(value: unknown): value is OwnerReference {
  const { apiVersion, kind, name, uid } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [apiVersion, kind, name, uid].every((text) => typeof text === 'string');
}
