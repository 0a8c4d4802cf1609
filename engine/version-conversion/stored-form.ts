import { fitAndRestore, keptOf, withKept, type Converted } from './convert-object';
import { specTree, statusTree, type TypeTree } from './fit';
import type { KindVersion } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';

export interface StoredForm {
  /** The object in the version that is stored, with the annotation of what this version has no place for. */
  readonly object: KubernetesObject;
  /** Whether members of the spec stand in the annotation alone. */
  readonly keepsSpec: boolean;
}

/**
 * The object as this controller would have stored it, from two readings of one state by a conversion that knows nothing of the annotation
 * (that of ASO): `applied`, in the version in which the user applied it, and `stored`, in the version that is stored. Members that an
 * earlier call has kept already come from the annotation, so the same call on its own result changes nothing. Pure.
 */
export function storedForm(applied: KubernetesObject, from: KindVersion, stored: KubernetesObject, to: KindVersion): StoredForm {
  const known = keptOf(stored);
  const spec = applied.spec === undefined ? undefined : across(specTree(from), specTree(to), applied.spec, known.spec);
  const status = applied.status === undefined ? undefined : across(statusTree(from), statusTree(to), applied.status, known.status);
  const { annotations: _, ...metadata } = stored.metadata;
  const annotations = withKept(stored.metadata.annotations, { spec: spec?.kept ?? [], status: status?.kept ?? [] }, status?.value);
  const object = {
    ...stored,
    metadata: { ...metadata, ...(annotations && { annotations }) },
    ...(spec && { spec: spec.value as NonNullable<KubernetesObject['spec']> }),
    ...(status && { status: status.value as NonNullable<KubernetesObject['status']> }),
  };
  return { object, keepsSpec: (spec?.kept.length ?? 0) > 0 };
}

function across(from: TypeTree, to: TypeTree, value: unknown, known: Converted['kept']): Converted {
  const whole = fitAndRestore(from, value, known);
  return fitAndRestore(to, whole.value, whole.kept);
}
