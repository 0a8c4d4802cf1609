import type { FoundInside, ReadObject } from './holder';
import { valueAt } from './value-at';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord, text } from '../../../src/util/records';

/** Patches that write to the composite resource, or to the environment, instead. */
const AWAY = /^(?:To|CombineTo)/;
const LONGEST_PATH = 64;

/** The base of a resource in a Composition, with a value that comes later wherever a patch writes one. */
export function patchedBase({ value, path, holder }: FoundInside): ReadObject | undefined {
  if (!isRecord(value)) return undefined;
  const entry = valueAt(holder, path.slice(0, -1));
  const list = valueAt(holder, path.slice(0, path.lastIndexOf('resources')));
  const patches = patchesOf(entry, list);
  return { value: patches.reduce<unknown>((base, patch) => withPatch(base, patch), value) };
}

function patchesOf(entry: unknown, beside: unknown): Record<string, unknown>[] {
  const own = listOf(entry, 'patches');
  const sets = listOf(beside, 'patchSets');
  return own.flatMap((patch) => {
    if (patch.type !== 'PatchSet') return [patch];
    return listOf(sets.find(({ name }) => name === patch.patchSetName), 'patches');
  });
}

function listOf(value: unknown, key: string): Record<string, unknown>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function withPatch(base: unknown, patch: Record<string, unknown>): unknown {
  const from = text(patch, 'fromFieldPath');
  const to = text(patch, 'toFieldPath') ?? from;
  if (to === undefined || AWAY.test(text(patch, 'type') ?? '')) return base;
  const path = fieldPath(to);
  // Labels and annotations as a whole say nothing about the resource.
  if (path === undefined || path.length < 2 || (path[0] === 'metadata' && path[1] !== 'name' && path[1] !== 'namespace')) return base;
  return withValueAt(base, path, `\${${from === undefined || /[{}]/.test(from) ? '…' : from}}`);
}

/** `spec.a[0].b`, `spec.tags[team]`, `spec.tags["a.b"]`; undefined for a path with a wildcard. */
function fieldPath(written: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  for (const [, name, inner = ''] of written.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) path.push(name);
    else if (/^\d+$/.test(inner)) path.push(Number(inner));
    else path.push(inner.replace(/^(["'])(.*)\1$/, '$2'));
  }
  return path.includes('*') || path.length > LONGEST_PATH ? undefined : path;
}

function withValueAt(base: unknown, [step, ...rest]: FieldPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(base) ? base : [];
    if (step > list.length || (base !== undefined && !Array.isArray(base))) return base;
    return [...list.slice(0, step), withValueAt(list[step], rest, value), ...list.slice(step + 1)];
  }
  if (base !== undefined && !isRecord(base)) return base;
  const inner = base !== undefined && Object.hasOwn(base, step) ? base[step] : undefined;
  return { ...base, [step]: withValueAt(inner, rest, value) };
}
