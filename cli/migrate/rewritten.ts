import { isDeepStrictEqual } from 'node:util';
import {
  inVersion,
  migratedManagedFields,
  withManagedFields,
  type ManagedFieldsEntry,
} from './managed-fields';
import { migratedOwners, type StoredVersionOf } from './storage-versions';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { storedForm } from '../../engine/version-conversion/stored-form';
import type { KindVersion } from '../../src/catalog';

/** Two readings of one state of an object through ASO's conversion. */
export interface Readings {
  /** In the version in which the user applied it; absent where that is the stored version. */
  readonly applied?: KubernetesObject;
  /** In the version that is stored from now on. */
  readonly stored: KubernetesObject;
}

export interface RewriteOptions {
  readonly type: ResourceType;
  readonly applied: KindVersion;
  readonly stored: KindVersion;
  readonly storedVersionOf: StoredVersionOf;
}

/** The writes by which an object is stored in its new version. */
export interface Rewrite {
  /** PUT in the stored version. */
  readonly object: KubernetesObject;
  /** PUT of the status, where the two conversions differ; its resourceVersion is that of the answer to the first write. */
  readonly status?: KubernetesObject['status'];
  /** The records that the object has to have in the end. */
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** Whether the server takes some of them away with the first PUT, so that another one restores them. */
  readonly restoresManagedFields: boolean;
}

/** How an object is rewritten. The generation grows only where ASO's conversion gives another spec than ours. Pure. */
export function rewriteOf({ applied, stored }: Readings, options: RewriteOptions): Rewrite {
  const form = applied
    ? storedForm(applied, options.applied, stored, options.stored)
    : { object: stored, keepsSpec: false };
  const owners = migratedOwners(stored.metadata.ownerReferences, options.storedVersionOf);
  const object = owners ? { ...form.object, metadata: { ...form.object.metadata, ownerReferences: owners } } : form.object;
  const fields = { type: options.type, applied: options.applied.name, stored: options.stored.name };
  const wanted = migratedManagedFields(stored, fields);
  return {
    object: withManagedFields(object, form.keepsSpec ? inVersion(wanted, fields) : wanted),
    ...(isDeepStrictEqual(object.status, stored.status) ? {} : { status: object.status }),
    managedFields: wanted,
    restoresManagedFields: form.keepsSpec,
  };
}
