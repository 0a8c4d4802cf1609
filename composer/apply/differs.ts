import type { DesiredObject } from './desired-object';
import type { InventoryEntry } from './inventory';
import type { KubernetesObject } from '../../engine/kubernetes';
import { isRecord } from '../../src/util/records';
import { encodeSecretValue } from '../../src/util/secret-data';

/** Members that the server and other clients keep beside what is applied. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status', 'stringData']);

/**
 * Whether an object has to be applied again: another manifest than the last one, or somebody has changed what was applied.
 *
 * Kinds with a generation tell a change of their spec by it; the server may spell values differently (quantities, defaults), so that a
 * comparison would never be equal. Kinds without one (ConfigMap, Role) are compared member by member.
 */
export function differs({ manifest, hash }: DesiredObject, live: KubernetesObject, entry: InventoryEntry): boolean {
  if (entry.applied !== hash) return true;
  const { labels, annotations } = manifest.metadata;
  const { metadata } = live;
  if (!includes(metadata.labels ?? {}, labels ?? {}) || !includes(metadata.annotations ?? {}, annotations ?? {})) return true;
  if (live.metadata.generation !== undefined) return live.metadata.generation !== entry.generation;
  const members = Object.entries(manifest).filter(([name]) => !OWN_MEMBERS.has(name));
  const all = live as unknown as Record<string, unknown>;
  return !members.every(([name, value]) => includes(all[name], value)) || !hasTexts(live, manifest);
}

/** Whether all that is wanted is there. Lists have the same length, since a shorter wanted list is another one. */
function includes(live: unknown, wanted: unknown): boolean {
  if (isRecord(wanted)) return isRecord(live) && Object.entries(wanted).every(([name, value]) => includes(live[name], value));
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && live.length === wanted.length && wanted.every((value, index) => includes(live[index], value));
  }
  return live === wanted;
}

/** `stringData` of a Secret is stored in `data`, in base64. */
function hasTexts({ data = {} }: KubernetesObject, { stringData = {} }: KubernetesObject): boolean {
  return Object.entries(stringData).every(([name, value]) => data[name] === encodeSecretValue(value));
}
