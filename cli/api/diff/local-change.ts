import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { isRecord } from '../../../src/util/records';
import { encodeSecretData } from '../../../src/util/secret-data';
import { sortedJson, withoutServerFields, type ServerSideChange } from '../../cluster/server-side-change';

/**
 * The change of an object by a manifest without the API server's help. Members that the manifest does not have stay: which of them an
 * earlier manifest had is not known here.
 */
export function localChange(live: KubernetesObject | undefined, manifest: KubernetesObject): ServerSideChange {
  if (!live) return { state: 'created', after: manifest, isLocal: true };
  const before = withoutServerFields(live);
  const after = merged(before, stored(manifest)) as KubernetesObject;
  return { state: sortedJson(before) === sortedJson(after) ? 'same' : 'changed', before, after, isLocal: true };
}

function merged(live: unknown, wanted: unknown): unknown {
  if (!isRecord(live) || !isRecord(wanted)) return wanted;
  const own = Object.entries(wanted).map(([key, value]) => [key, merged(Object.hasOwn(live, key) ? live[key] : undefined, value)]);
  return { ...live, ...Object.fromEntries(own) as Record<string, unknown> };
}

/** `stringData` of a Secret is stored in `data`. */
function stored({ stringData, ...manifest }: KubernetesObject): KubernetesObject {
  if (!stringData) return manifest;
  return { ...manifest, data: { ...manifest.data, ...encodeSecretData(stringData) } };
}
