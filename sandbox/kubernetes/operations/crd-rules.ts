import type { CustomResourceDefinition } from '../../../src/catalog/crd-types';
import { isRecord } from '../../../src/util/records';
import type { FieldError } from '../field-error';
import { invalid, required } from '../field-error';
import type { StoredObject } from '../objects';

/** Removed when the last object of the kind is gone. */
export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The conditions under which a CRD can be served. Its schemas are taken as they are. */
export function crdErrors(object: StoredObject): FieldError[] {
  const spec = object.spec as Partial<CustomResourceDefinition['spec']> | undefined;
  if (!spec) return [required('spec')];
  const errors: FieldError[] = [];
  if (!spec.group) errors.push(required('spec.group'));
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster') errors.push(required('spec.scope'));
  if (!isRecord(spec.names) || !spec.names.plural) errors.push(required('spec.names.plural'));
  if (!isRecord(spec.names) || !spec.names.kind) errors.push(required('spec.names.kind'));
  if (!Array.isArray(spec.versions) || spec.versions.length === 0) {
    return [...errors, required('spec.versions', 'must have at least one version')];
  }
  const stored = spec.versions.filter((version) => version.storage).length;
  if (stored !== 1) {
    errors.push(
      invalid(
        'spec.versions',
        spec.versions.map((version) => version.name),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  spec.versions.forEach((version, index) => {
    if (!version.schema?.openAPIV3Schema) errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required'));
  });
  storedVersionsOf(object).forEach((version, index) => {
    if (!spec.versions!.some(({ name: served }) => served === version)) {
      errors.push(invalid(`status.storedVersions[${index}]`, version, stillStored(version)));
    }
  });
  const name = `${spec.names?.plural}.${spec.group}`;
  if (errors.length === 0 && object.metadata.name !== name) {
    errors.push(invalid('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  return errors;
}

function storedVersionsOf({ status }: StoredObject): readonly string[] {
  const stored = isRecord(status) ? status.storedVersions : undefined;
  return Array.isArray(stored) ? (stored as string[]) : [];
}

function stillStored(version: string): string {
  return `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
}

/** The CRD with what the server itself says of it: that it is accepted and served. */
export function established(object: StoredObject, time: string): StoredObject {
  // The object has passed the schema of CRDs.
  const { names, versions } = (object as unknown as CustomResourceDefinition).spec;
  const conditions = [
    { type: 'NamesAccepted', status: 'True', lastTransitionTime: time, reason: 'NoConflicts', message: 'no conflicts found' },
    {
      type: 'Established',
      status: 'True',
      lastTransitionTime: time,
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
  ];
  const storedVersions = [
    ...new Set([...storedVersionsOf(object), ...versions.filter((version) => version.storage).map((version) => version.name)]),
  ];
  const finalizers = object.metadata.finalizers ?? [];
  const held = finalizers.includes(CRD_FINALIZER) || object.metadata.deletionTimestamp !== undefined;
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: held ? finalizers : [...finalizers, CRD_FINALIZER] },
    status: { ...(object.status as object | undefined), storedVersions, acceptedNames: names, conditions },
  };
}
