import type { FoundInside, ReadObject } from './holder';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';

const BESIDE: ReadonlySet<string> = new Set(['apiVersion', 'kind']);
const NAMES: ReadonlySet<string> = new Set(['name', 'namespace']);

/** The object of `generate`, whose type and name stand beside its `data`. */
export function generatedObject({ value }: FoundInside): ReadObject | undefined {
  if (!isRecord(value) || !isRecord(value.data)) return undefined;
  const { apiVersion, kind, name, namespace, data } = value;
  const metadata = { ...(isRecord(data.metadata) ? data.metadata : {}), name, ...(namespace !== undefined && { namespace }) };
  return { value: { ...data, apiVersion, kind, metadata }, pathOf };
}

function pathOf(field: FieldPath): FieldPath {
  const [first, second] = field;
  if (field.length === 0) return [];
  if (BESIDE.has(String(first))) return field;
  if (first === 'metadata' && NAMES.has(String(second))) return field.slice(1);
  return ['data', ...field];
}
