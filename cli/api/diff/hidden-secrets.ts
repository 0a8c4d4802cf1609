import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { KUBECTL_LAST_APPLIED } from '../../../src/azure/annotations';
import { encodeSecretData } from '../../../src/util/secret-data';

const HIDDEN = '(hidden)';
const CHANGED = '(hidden, another value)';

/** The two states of an object as they may be printed: of a Secret only the keys, and which of their values differ. */
export function withoutSecrets(
  before: KubernetesObject | undefined, after: KubernetesObject | undefined,
): { readonly before: KubernetesObject | undefined; readonly after: KubernetesObject | undefined } {
  const { apiVersion, kind } = (after ?? before)!;
  if (apiVersion !== 'v1' || kind !== 'Secret') return { before, after };
  const known = before === undefined ? undefined : valuesOf(before);
  return { before: before && hidden(before, known), after: after && hidden(after, known) };
}

/** In base64, as they are stored. */
function valuesOf({ data = {}, stringData = {} }: KubernetesObject): Record<string, string> {
  return { ...data, ...encodeSecretData(stringData) };
}

function hidden(object: KubernetesObject, known: Readonly<Record<string, string>> | undefined): KubernetesObject {
  const { data: _data, stringData: _stringData, metadata, ...rest } = object;
  const annotations = metadata.annotations && Object.fromEntries(Object.entries(metadata.annotations)
    .map(([key, value]) => [key, key === KUBECTL_LAST_APPLIED ? HIDDEN : value]));
  const data = Object.fromEntries(Object.entries(valuesOf(object)).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, known && Object.hasOwn(known, key) && known[key] !== value ? CHANGED : HIDDEN]));
  return { ...rest, metadata: { ...metadata, ...(annotations && { annotations }) }, data };
}
