import type { ExportedObject } from './types';
import { EXPORTED } from '../../src/azure/annotations';
import { groupOf } from '../../src/object-id';
import { isText, member, struct, type Struct } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';
import { ownerReferencesOf } from '../objects/owner-references';

/** The keys of a Secret or ConfigMap that an object has written. */
export interface ExportRecord {
  readonly data: readonly string[];
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

const MEMBERS = ['data', 'labels', 'annotations'] as const;
/** All annotations of an object together are at most 256 KiB, and an expression may export thousands of keys. */
const MAX_RECORD_LENGTH = 65_536;

/** The keys that the exporting object writes now. */
export function exportRecordOf({ data, stringData, metadata: { labels, annotations } }: ExportedObject): ExportRecord {
  const keys = (entries: object = {}) => Object.keys(entries).sort();
  return { data: keys(data ?? stringData), labels: keys(labels), annotations: keys(annotations) };
}

/**
 * The keys that the owner has written to a Secret or ConfigMap, by its annotation. Empty where there is no such record, as in what ASO
 * wrote: nothing is known to be the owner's, so nothing is taken away.
 */
export function recordWith(existing: KubernetesObject, owner: KubernetesObject): ExportRecord {
  const own = member(recordsOf(existing), ownerKey(owner));
  const keys = (name: (typeof MEMBERS)[number]) => {
    const found = member(own, name);
    // The record itself is the operator's, whatever an edited record says.
    return Array.isArray(found) ? found.filter(isText).filter((key) => key !== EXPORTED) : [];
  };
  return { data: keys('data'), labels: keys('labels'), annotations: keys('annotations') };
}

/**
 * The text of the annotation that records what the owner writes now, beside what the object's other owners have written. Undefined where
 * it would be too long: such an object keeps what is no longer exported.
 */
export function recordText(existing: KubernetesObject | undefined, owner: KubernetesObject, record: ExportRecord): string | undefined {
  const owners = new Set(existing ? ownerReferencesOf(existing).map((metadata) => ownerKey({ ...metadata, metadata })) : []);
  const others = existing ? Object.entries(recordsOf(existing)).filter(([key]) => owners.has(key)) : [];
  const used = Object.fromEntries(MEMBERS.filter((name) => record[name].length > 0).map((name) => [name, record[name]]));
  const text = JSON.stringify(Object.fromEntries([...others, [ownerKey(owner), used]]));
  return text.length <= MAX_RECORD_LENGTH ? text : undefined;
}

/** By kind and name, not by uid: a move to another cluster keeps the annotation and changes the uid. */
function ownerKey({ apiVersion, kind, metadata }: Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>): string {
  return `${kind}.${groupOf({ apiVersion })}/${metadata.name}`;
}

function recordsOf({ metadata }: KubernetesObject): Struct {
  const text = member(metadata.annotations, EXPORTED);
  if (!isText(text)) return {};
  try {
    return struct(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
