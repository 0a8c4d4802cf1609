import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { fitAndRestore, keptOf } from '../../../engine/version-conversion/convert-object';
import { specTree, statusTree } from '../../../engine/version-conversion/fit';
import { KEPT_MEMBERS, LATEST_GENERATION, PUT_RECORD, REQUESTED_AT, RESTORED_FIELDS, STOPPED_EXPORT, WAITING } from '../../../src/azure/annotations';
import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { restoredFields, withManagedFields, type ManagedFieldsEntry } from '../managed-fields';

/** State of this package's controller. What users set (`aso.cdk8s.io/adopt`, …) stays. */
const STATE = [KEPT_MEMBERS, PUT_RECORD, WAITING, STOPPED_EXPORT, REQUESTED_AT, RESTORED_FIELDS];

/** The writes by which an object is given back, in this order: each may be the last one before a conflict or a killed process. */
export interface Returned {
  /** PUT of the status first, where members of it were in the annotation alone: the next write takes the annotation away. */
  readonly status?: NonNullable<KubernetesObject['status']>;
  /** PUT in the version in which the user applied the object: ASO's storage form keeps what its hub has no place for. */
  readonly object: KubernetesObject;
  /** PUT of what the server has answered with these annotations and records: the write before takes ownership of the restored members. */
  readonly last?: { readonly annotations: Record<string, string>; readonly managedFields: readonly ManagedFieldsEntry[] };
}

/**
 * An object as ASO has to store it, from two readings of one state by ASO's conversion: in the version in which it was applied, and in the
 * version that this package's controller has stored. Members that a writer has set since go before those of the annotation. Pure.
 */
export function returnedObject(applied: KubernetesObject, version: KindVersion, stored: KubernetesObject): Returned {
  const kept = keptOf(stored);
  const spec = applied.spec && fitAndRestore(specTree(version), applied.spec, kept.spec).value;
  const status = applied.status && fitAndRestore(statusTree(version), applied.status, kept.status).value;
  const others = Object.fromEntries(Object.entries(applied.metadata.annotations ?? {}).filter(([key]) => !STATE.includes(key)));
  const annotations = kept.spec.length > 0 ? { ...others, ...sentGeneration(applied, (applied.metadata.generation ?? 0) + 1) } : others;
  const managedFields = restoredFields(applied);
  const noted = kept.spec.length > 0 ? { ...annotations, [RESTORED_FIELDS]: JSON.stringify(managedFields) } : annotations;
  const metadata = { ...applied.metadata, annotations: noted };
  return {
    ...(kept.status.length > 0 && isRecord(status) && { status: status as NonNullable<KubernetesObject['status']> }),
    object: withManagedFields({ ...applied, metadata, ...(isRecord(spec) && { spec }) }, managedFields),
    ...(kept.spec.length > 0 && { last: { annotations, managedFields } }),
  };
}

/**
 * The annotation by which a controller knows that it has sent this spec: restored members make the generation grow, and the user has
 * changed nothing. In the same write, since a process may be killed after it.
 */
export function sentGeneration({ metadata: { annotations, generation } }: KubernetesObject, next: number): Record<string, string> {
  return generation !== undefined && annotations?.[LATEST_GENERATION] === String(generation) ? { [LATEST_GENERATION]: String(next) } : {};
}
