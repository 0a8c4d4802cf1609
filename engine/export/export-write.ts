import { exportRecordOf, recordText, recordWith, type ExportRecord } from './export-record';
import { ownedBy } from './ownership';
import type { ExportedObject } from './types';
import { ExportError } from './types';
import { EXPORTED } from '../../src/azure/annotations';
import { groupOf } from '../../src/object-id';
import { member, struct } from '../../src/util/records';
import { encodeSecretData } from '../../src/util/secret-data';
import type { KubernetesObject, OwnerReference } from '../kubernetes/types';
import { ownerReferencesOf } from '../objects/owner-references';

type Texts = Readonly<Record<string, string>>;

/** The write for one exported object. The `object` of a replacement has the resourceVersion that was compared. */
export type ExportWrite =
  | { readonly action: 'create'; readonly object: KubernetesObject }
  | { readonly action: 'replace'; readonly object: KubernetesObject }
  | { readonly action: 'none' };

/**
 * Compares existing and desired object (docs/spec/exports.md#export-objects): unchanged objects are not written, nor are objects of another
 * owner. A replacement is the existing object with the exported keys, labels and annotations, and without those that this owner exported
 * before. All else stays as others wrote it: CAPI finds a kubeconfig by its label, and deployers mark what they track.
 *
 * @throws ExportError when the existing object is not owned by `owner`, or its data has to change and is immutable.
 */
export function exportWrite(existing: KubernetesObject | undefined, desired: ExportedObject, owner: KubernetesObject): ExportWrite {
  const record = recordText(existing, owner, exportRecordOf(desired));
  const marks = { ...desired.metadata.annotations, ...(record === undefined ? {} : { [EXPORTED]: record }) };
  if (!existing) return { action: 'create', object: { ...desired, metadata: { ...desired.metadata, ...some('annotations', marks) } } };
  if (!ownedBy(existing, owner)) throw notOwned(desired, owner, isOfPredecessor(existing, owner));
  const [reference] = desired.metadata.ownerReferences;
  const exported = recordWith(existing, owner);
  const hasCurrentData = hasData(existing, desired, exported.data);
  const { labels, annotations } = existing.metadata;
  if (
    hasCurrentData
    && hasTexts(labels, desired.metadata.labels, exported.labels)
    && hasTexts(annotations, marks, [...exported.annotations, EXPORTED])
    && ownerReferencesOf(existing).some((one) => isSameReference(one, reference!))
  ) return { action: 'none' };
  if (!hasCurrentData && member(existing, 'immutable') === true) throw immutable(desired);
  return { action: 'replace', object: replaced(existing, desired, marks, exported) };
}

function replaced(existing: KubernetesObject, desired: ExportedObject, marks: Texts, exported: ExportRecord): KubernetesObject {
  const { labels, annotations, ...metadata } = existing.metadata;
  const [reference] = desired.metadata.ownerReferences;
  const data = dataOf(desired);
  const binaryData = struct(member(existing, 'binaryData'));
  return {
    ...existing,
    apiVersion: desired.apiVersion,
    kind: desired.kind,
    metadata: {
      ...metadata,
      ...some('labels', { ...without(labels, exported.labels), ...desired.metadata.labels }),
      ...some('annotations', { ...without(annotations, [...exported.annotations, EXPORTED]), ...marks }),
      ownerReferences: ownerReferencesOf(existing).map((one) => (one.uid === reference!.uid ? { ...one, ...reference } : one)),
    },
    data: { ...without(existing.data, exported.data), ...data },
    // A key of a ConfigMap is in one of the two.
    ...(binaryData && { binaryData: without(binaryData, [...exported.data, ...Object.keys(data)]) }),
  };
}

/** Whether the object has every exported value, and no key that was exported before and is no more. */
function hasData(existing: KubernetesObject, desired: ExportedObject, exported: readonly string[]): boolean {
  const data = dataOf(desired);
  return hasTexts(existing.data, data, exported) && hasTexts(member(existing, 'binaryData'), {}, exported);
}

/** The data in the API server's form: the texts of a Secret in base64. */
function dataOf({ kind, data = {}, stringData = {} }: ExportedObject): Record<string, string> {
  if (kind === 'ConfigMap') return data;
  return encodeSecretData(stringData);
}

/** Whether all wanted texts are there, and of the others none with a key that was exported. A value that is not an object has none. */
function hasTexts(present: unknown, wanted: Texts | undefined, exported: readonly string[]): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => member(present, key) === value)
    && exported.every((key) => Object.hasOwn(wanted ?? {}, key) || member(present, key) === undefined);
}

function some(name: 'labels' | 'annotations', texts: Texts): Readonly<Record<string, Texts>> {
  return Object.keys(texts).length > 0 ? { [name]: texts } : {};
}

function without(present: unknown, keys: readonly string[]): Record<string, string> {
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(struct(present) ?? {}).filter(([key]) => !gone.has(key))) as Record<string, string>;
}

function isSameReference(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
}

/** Whether the object belonged to an object of the owner's name that is gone. Kubernetes has yet to delete it. */
function isOfPredecessor(existing: KubernetesObject, owner: KubernetesObject): boolean {
  return ownerReferencesOf(existing).some(({ apiVersion, kind, name }) => (
    kind === owner.kind && name === owner.metadata.name && groupOf({ apiVersion }) === groupOf(owner)
  ));
}

function notOwned({ kind, metadata }: ExportedObject, owner: KubernetesObject, isMomentary: boolean): ExportError {
  const group = groupOf(owner);
  const why = isMomentary ? ', but by an object of this name that is gone: Kubernetes deletes it with that one, and it is then written again' : '';
  const message = `cannot overwrite ${kind} ${metadata.namespace}/${metadata.name} which is not owned by ${owner.kind}.${group} ${owner.metadata.namespace}/${owner.metadata.name}${why}`;
  return new ExportError('notOwned', message, 'FailedWritingAdditionalKubernetesObjects', isMomentary ? 'Warning' : 'Error');
}

function immutable({ kind, metadata }: ExportedObject): ExportError {
  const message = `cannot change ${kind} ${metadata.namespace}/${metadata.name}, which is immutable: delete it, and it is created again with the current values`;
  return new ExportError('immutable', message, 'FailedWritingAdditionalKubernetesObjects', 'Error');
}
