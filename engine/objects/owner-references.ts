import type { KubernetesObject, OwnerReference } from '../kubernetes/types';

/** The valid owner references of an object; an object that was read may be malformed. */
export function ownerReferencesOf({ metadata }: KubernetesObject): OwnerReference[] {
  const references: unknown = metadata.ownerReferences;
  return Array.isArray(references) ? references.filter(isReference) : [];
}

function isReference(value: unknown): value is OwnerReference {
  const { apiVersion, kind, name, uid } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [apiVersion, kind, name, uid].every((text) => typeof text === 'string');
}
