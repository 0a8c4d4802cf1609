import type { FoundInside, ReadObject } from './holder';
import { valueAt } from './value-at';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord, text } from '../../../src/util/records';

/** Patches that write to the composite resource, or to the environment, instead. */
const AWAY = /^(?:To|CombineTo)/;
const MAX_PATH = 64;

/** The base of a resource in a Composition, with a value that comes later wherever a patch writes one. */
export function patchedBase({ value, path, holder }: FoundInside): ReadObject | undefined {
  if (!isRecord(value)) return undefined;
  const entry = valueAt(holder, path.slice(0, -1));
  const list = valueAt(holder, path.slice(0, path.lastIndexOf('resources')));
  const patches = patchesOf(entry, list);
  const copy = new PatchedCopy(value);
  for (const patch of patches) applyPatch(copy, patch);
  return { value: copy.root };
}

function patchesOf(entry: unknown, beside: unknown): Record<string, unknown>[] {
  const own = listOf(entry, 'patches');
  if (!own.some(({ type }) => type === 'PatchSet')) return own;
  const sets = new Map(listOf(beside, 'patchSets').reverse().map((set) => [set.name, set] as const));
  return own.flatMap((patch) => {
    if (patch.type !== 'PatchSet') return [patch];
    const set = sets.get(patch.patchSetName);
    // Another time it writes the same.
    sets.delete(patch.patchSetName);
    return listOf(set, 'patches');
  });
}

function listOf(value: unknown, key: string): Record<string, unknown>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function applyPatch(copy: PatchedCopy, patch: Record<string, unknown>): void {
  const from = text(patch, 'fromFieldPath');
  const to = text(patch, 'toFieldPath') ?? from;
  if (to === undefined || AWAY.test(text(patch, 'type') ?? '')) return;
  const path = fieldPath(to);
  // Labels and annotations as a whole say nothing about the resource.
  if (path === undefined || path.length < 2 || (path[0] === 'metadata' && path[1] !== 'name' && path[1] !== 'namespace')) return;
  copy.set(path, `\${${from === undefined || /[{}]/.test(from) ? '…' : from}}`);
}

/** `spec.a[0].b`, `spec.tags[team]`, `spec.tags["a.b"]`; undefined for a path with a wildcard. */
function fieldPath(written: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  for (const [, name, inner = ''] of written.matchAll(/([^.[\]]{1,1000})|\[([^\]]{0,1000})\]/g)) {
    if (name !== undefined) path.push(name);
    else if (/^\d+$/.test(inner)) path.push(Number(inner));
    else path.push(inner.replace(/^(["'])(.*)\1$/, '$2'));
  }
  return path.includes('*') || path.length > MAX_PATH ? undefined : path;
}

/** A value with others at some places. Each map and list on the way is copied once, however many places it has. */
class PatchedCopy {
  private readonly own = new WeakSet<object>();

  public constructor(public root: unknown) {}

  /** Sets a place if there may be one: a list has no gaps, and a text no members. */
  public set(path: FieldPath, value: unknown): void {
    if (this.mayBeSet(path)) this.root = this.valueWith(this.root, path, 0, value);
  }

  private mayBeSet(path: FieldPath): boolean {
    let at = this.root;
    for (const step of path) {
      if (typeof step === 'number' ? !mayBeElement(at, step) : at !== undefined && !isRecord(at)) return false;
      at = valueAt(at, [step]);
    }
    return true;
  }

  private valueWith(before: unknown, path: FieldPath, depth: number, value: unknown): unknown {
    const step = path[depth];
    if (step === undefined) return value;
    const container = this.ownOf(before ?? (typeof step === 'number' ? [] : {}));
    const inner = this.valueWith(valueAt(container, [step]), path, depth + 1, value);
    Object.defineProperty(container, step, { value: inner, enumerable: true, configurable: true, writable: true });
    return container;
  }

  private ownOf(value: object): object {
    if (this.own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value as unknown[]] : { ...value };
    this.own.add(copy);
    return copy;
  }
}

function mayBeElement(list: unknown, index: number): boolean {
  return list === undefined ? index === 0 : Array.isArray(list) && index <= list.length;
}
