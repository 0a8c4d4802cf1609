import {
  FINALIZER,
  isState,
  KUBECTL_LAST_APPLIED,
  LAST_VERSION_LABEL,
  OWNER_GROUP_KIND_LABEL,
  OWNER_NAME_LABEL,
  OWNER_UID_LABEL,
} from '../../src/azure/annotations';
import { isRecord } from '../../src/util/records';
import { asText } from '../../src/util/words';

/** Metadata fields that the API server sets. */
const SERVER_FIELDS = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Metadata fields that only an object from a cluster has. */
const SIGNS = ['uid', 'resourceVersion', 'managedFields'];

/** Annotations and labels that kubectl and the operator write, besides the operator's state. */
const WRITTEN: ReadonlySet<string> = new Set([
  KUBECTL_LAST_APPLIED, OWNER_NAME_LABEL, OWNER_GROUP_KIND_LABEL, OWNER_UID_LABEL, LAST_VERSION_LABEL,
]);

/** An object without the fields that the cluster set, and the list of the removed fields. */
export interface Authored {
  readonly object: Readonly<Record<string, unknown>>;
  readonly removed: string[];
}

/**
 * `kubectl get -o yaml` also prints fields that the user did not write: status, uid, the operator's finalizer. None of them can be applied
 * to another cluster. Objects that were never in a cluster stay as they are.
 */
export function authored(object: Readonly<Record<string, unknown>>): Authored {
  const { metadata } = object;
  if (!isRecord(metadata) || !SIGNS.some((sign) => metadata[sign] !== undefined)) return { object, removed: [] };
  const removed: string[] = [];
  const kept = Object.fromEntries(
    Object.entries(metadata)
      .flatMap(([name, value]) => {
        if (SERVER_FIELDS.includes(name)) {
          removed.push(`metadata.${name}`);
        } else if ((name === 'annotations' || name === 'labels') && isRecord(value)) {
          return [[name, withoutState(value, removed, `metadata.${name}`)]];
        } else if (name === 'finalizers' && Array.isArray(value)) {
          return [[name, withoutFinalizer(value, removed)]];
        } else if (name === 'ownerReferences' && Array.isArray(value)) {
          return [[name, withoutOwner(value, removed)]];
        } else {
          return [[name, value]];
        }
        return [];
      })
      .filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
  const { status, ...rest } = object;
  if (status !== undefined) removed.push('status');
  return { object: { ...rest, metadata: kept }, removed };
}

function withoutState(values: Record<string, unknown>, removed: string[], path: string): Record<string, unknown> {
  const isWritten = (name: string) => WRITTEN.has(name) || isState(name);
  removed.push(...Object.keys(values).filter(isWritten).map((name) => `${path}.${name}`));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isWritten(name)));
}

function withoutFinalizer(finalizers: unknown[], removed: string[]): unknown[] {
  if (finalizers.includes(FINALIZER)) removed.push('the finalizer of the operator');
  return finalizers.filter((finalizer) => finalizer !== FINALIZER);
}

/** Removes owner references of the operator, which copies the owner in Azure to Kubernetes, by uid. */
function withoutOwner(references: unknown[], removed: string[]): unknown[] {
  const byOperator = (reference: unknown) => isRecord(reference) && /\.azure\.com\//.test(asText(reference.apiVersion));
  if (references.some(byOperator)) removed.push('metadata.ownerReferences of the operator');
  return references.filter((reference) => !byOperator(reference));
}
