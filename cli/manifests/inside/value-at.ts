import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return typeof step === 'number' ? value[step] as unknown : undefined;
    return isRecord(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, root);
}
