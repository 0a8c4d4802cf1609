import { ofSet, type Found } from './rule';
import type { SetObject } from './set-object';
import { DNS_LABEL } from '../../azure/dns-name';
import { isAnnotationKey, isLabelValue, isQualifiedName } from '../../azure/qualified-name';
import { isRecord, isText, member, struct } from '../../util/records';

/** As many bytes as the annotations of an object have together. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

const QUALIFIED = 'write at most 63 letters, digits, -, _ and ., a letter or digit first and last; a prefix is a DNS name and a slash before it';
const VALUE = 'write at most 63 letters, digits, -, _ and ., a letter or digit first and last; an annotation takes any text';
const LABEL = 'write at most 63 lower-case letters, digits and -, a letter or digit first and last';

/** Labels, annotations, finalizers, owner references or the namespace are none that the API server takes. */
export const objectMetadata = ofSet((set) =>
  set.objects.flatMap((object) => metadataProblems(metadataOf(object), isNamespace(object)).map((found) => ({ ...found, object }))));

/**
 * The problems of metadata but the name, as the API server's validation finds them.
 * @param isNamespaceItself the name has to be a DNS label, too
 */
export function metadataProblems(metadata: Readonly<Record<string, unknown>>, isNamespaceItself: boolean): Found[] {
  return [
    ...(isNamespaceItself ? labelOfDns(metadata, 'name') : []),
    ...labelOfDns(metadata, 'namespace'),
    ...labels(struct(metadata.labels) ?? {}),
    ...annotations(struct(metadata.annotations) ?? {}),
    ...finalizers(metadata.finalizers),
    ...owners(metadata.ownerReferences),
  ];
}

/** Whether Flux, or another one who writes after the synthesis, fills in a variable: `${CLIENT_ID}`. */
function comesLater(text: string): boolean {
  return /\$\{\w[^{}]*\}/.test(text);
}

function metadataOf(object: SetObject): Readonly<Record<string, unknown>> {
  return object.metadata ?? (object.manifest.metadata as Readonly<Record<string, unknown>>);
}

function isNamespace({ group, kind }: SetObject): boolean {
  return group === '' && kind === 'Namespace';
}

function labelOfDns(metadata: Readonly<Record<string, unknown>>, field: 'name' | 'namespace'): Found[] {
  const value = member(metadata, field);
  if (!isText(value) || value === '' || comesLater(value) || DNS_LABEL.test(value)) return [];
  return [{ field: `metadata.${field}`, message: `'${value.slice(0, 80)}' is no name of a namespace`, fix: LABEL }];
}

function labels(map: Readonly<Record<string, unknown>>): Found[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const field = ['metadata', 'labels', key];
    if (!comesLater(key) && !isQualifiedName(key)) return [{ field, message: `'${key.slice(0, 80)}' is no key of a label`, fix: QUALIFIED }];
    return isText(value) && !comesLater(value) && !isLabelValue(value) ? [{ field, message: 'is no value of a label', fix: VALUE }] : [];
  });
}

function annotations(map: Readonly<Record<string, unknown>>): Found[] {
  const entries = Object.entries(map);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + (isText(value) ? Buffer.byteLength(value) : 0), 0);
  const large = bytes <= MAX_ANNOTATION_BYTES
    ? []
    : [{ field: 'metadata.annotations', message: `have ${bytes} bytes`, fix: `write at most ${MAX_ANNOTATION_BYTES}: put the text into a ConfigMap` }];
  const wrong = entries.filter(([key]) => !comesLater(key) && !isAnnotationKey(key)).map(([key]) =>
    ({ field: ['metadata', 'annotations', key], message: `'${key.slice(0, 80)}' is no key of an annotation`, fix: QUALIFIED }));
  return [...wrong, ...large];
}

function finalizers(value: unknown): Found[] {
  const names = Array.isArray(value) ? value : [];
  const field = 'metadata.finalizers';
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    return [{ field, message: 'orphan and foregroundDeletion exclude each other', fix: 'remove one of them' }];
  }
  return names.flatMap((name, index) => (isText(name) && !comesLater(name) && !isQualifiedName(name)
    ? [{ field: `${field}[${index}]`, message: `'${name.slice(0, 80)}' is no name of a finalizer`, fix: QUALIFIED }]
    : []));
}

function isGiven(reference: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = member(reference, name);
  if (!isText(value) || value === '') return false;
  return name !== 'apiVersion' || /^(?:[^/]{1,500}\/)?[^/]{1,500}$/.test(value);
}

function owners(value: unknown): Found[] {
  const field = 'metadata.ownerReferences';
  const references = Array.isArray(value) ? value.filter(isRecord) : [];
  const incomplete = references.flatMap((reference, index) => {
    const missing = ['apiVersion', 'kind', 'name', 'uid'].filter((name) => !isGiven(reference, name));
    const fix = 'leave owner references to the cluster: it alone knows the uid';
    return missing.length === 0 ? [] : [{ field: `${field}[${index}]`, message: `has no ${missing.join(', ')}`, fix }];
  });
  if (incomplete.length > 0 || references.filter((reference) => reference.controller === true).length < 2) return incomplete;
  return [{ field, message: 'name two controllers', fix: 'leave one of them with controller: true' }];
}
