import type { ExportedObject } from './types';
import { ExportError } from './types';
import { struct } from '../../src/util/records';
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

/** The write for one exported object. The `object` of a replacement has the resourceVersion that was compared. */
export type ExportWrite =
  | { readonly action: 'create'; readonly object: KubernetesObject }
  | { readonly action: 'replace'; readonly object: KubernetesObject }
  | { readonly action: 'none' };

/**
 * Compares existing and desired object: unchanged objects are not written, nor are objects of another owner.
 *
 * @throws ExportError when the existing object is not owned by `owner`.
 */
export function exportWrite(existing: KubernetesObject | undefined, desired: ExportedObject, owner: KubernetesObject): ExportWrite {
  if (!existing) return { action: 'create', object: desired };
  if (!ownedBy(existing, owner)) throw notOwned(desired, owner);
  if (isCurrent(existing, desired)) return { action: 'none' };
  const { resourceVersion, uid } = existing.metadata;
  return {
    action: 'replace',
    object: { ...desired, metadata: { ...desired.metadata, ...(resourceVersion ? { resourceVersion } : {}), ...(uid ? { uid } : {}) } },
  };
}

function notOwned({ kind, metadata }: ExportedObject, owner: KubernetesObject): ExportError {
  const group = owner.apiVersion.split('/')[0];
  const message = `cannot overwrite ${kind} ${metadata.namespace}/${metadata.name} which is not owned by ${owner.kind}.${group} ${owner.metadata.namespace}/${owner.metadata.name}`;
  return new ExportError('notOwned', message, 'FailedWritingAdditionalKubernetesObjects', 'Error');
}

function isCurrent(existing: KubernetesObject, desired: ExportedObject): boolean {
  return (
    equal(existing.data, dataOf(desired)) &&
    equal(existing.metadata.labels, desired.metadata.labels) &&
    equal(existing.metadata.annotations, desired.metadata.annotations) &&
    equalReferences(ownerReferencesOf(existing), desired.metadata.ownerReferences) &&
    (desired.kind === 'ConfigMap' || existing.type === desired.type) &&
    !('binaryData' in existing)
  );
}

/** The data in the API server's form: the texts of a Secret in base64. */
function dataOf({ kind, data = {}, stringData = {} }: ExportedObject): Record<string, string> {
  if (kind === 'ConfigMap') return data;
  return Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value, 'utf8').toString('base64')]));
}

/** Null equals absent. A value that is not an object is never equal: a text of 100 KB would count as that many entries. */
function equal(a: unknown, b: Readonly<Record<string, string>> = {}): boolean {
  const present = struct(a ?? {});
  if (!present) return false;
  const entries = Object.entries(present);
  return entries.length === Object.keys(b).length && entries.every(([key, value]) => Object.hasOwn(b, key) && value === b[key]);
}

function equalReferences(a: readonly OwnerReference[], b: readonly OwnerReference[]): boolean {
  const text = (references: readonly OwnerReference[]) =>
    JSON.stringify(references.map(({ apiVersion, kind, name, uid }) => [apiVersion, kind, name, uid]));
  return a.length === b.length && text(a) === text(b);
}
