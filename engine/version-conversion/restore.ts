import { elementType, fit, memberType, nameOf, takes, type Kept, type Path, type TypeTree } from './fit';
import type { TypeExpression } from '../../src/catalog';
import { isRecord, ownMember, setMember } from '../../src/util/records';

/**
 * Restores kept values to their places, as far as the version has such places. Changes `value`. Returns the values for which the version
 * still has no place. A value whose parent is gone, or whose place is taken, is dropped: another writer has changed that part.
 */
export function restore(tree: TypeTree, value: unknown, kept: readonly Kept[]): Kept[] {
  // Parents go first, since other values may belong into them.
  return [...kept].sort(([a], [b]) => a.length - b.length).flatMap((entry) => place(tree, tree.root, value, entry, 0));
}

function place(tree: TypeTree, type: TypeExpression, target: unknown, entry: Kept, depth: number): readonly Kept[] {
  const [path] = entry;
  const segment = path[depth];
  if (segment === undefined) return [entry];
  if (typeof segment === 'string') return placeMember(tree, type, target, entry, depth, segment);
  const elements = elementType(type);
  if (!elements) return [entry];
  if (!Array.isArray(target)) return [];
  const [index, name] = segment;
  const found = elementAt(target, index, name);
  return found === undefined || depth === path.length - 1 ? [] : place(tree, elements, found, entry, depth + 1);
}

function placeMember(tree: TypeTree, type: TypeExpression, target: unknown, entry: Kept, depth: number, name: string): readonly Kept[] {
  const [path, kept] = entry;
  const known = memberType(tree, type, name);
  if (known === undefined) return [entry];
  if (!isRecord(target)) return [];
  const present = ownMember(target, name);
  if (depth < path.length - 1) return present === undefined ? [] : place(tree, known, present, entry, depth + 1);
  if (!takes(tree, known, kept)) return [entry];
  if (present === undefined) {
    const fitted = fit(tree, known, kept, path);
    if (!fitted) return [entry];
    setMember(target, name, fitted.value);
    return fitted.left;
  }
  // Both have something: each of the members that were kept finds its place, or has lost it.
  if (!isRecord(kept) || !isRecord(present)) return [];
  return Object.entries(kept).flatMap(([key, value]) => placeMember(tree, known, present, [[...path, key], value], depth + 1, key));
}

/** The element at the index, unless another one has its name by now. */
function elementAt(list: readonly unknown[], index: number, name: string | undefined): unknown {
  const there = nameOf(list[index]);
  if (name === undefined || there === undefined || there === name) return list[index];
  let byName = named.get(list);
  if (!byName) named.set(list, (byName = elementsByName(list)));
  return byName.get(name);
}

/**
 * Of lists that are being restored: as many lookups as there are kept values, each in time by the length of the list, would be quadratic.
 */
const named = new WeakMap<readonly unknown[], ReadonlyMap<string, unknown>>();

/** Elements whose name no other one has. */
function elementsByName(list: readonly unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const element of list) {
    const name = nameOf(element);
    if (name !== undefined) found.set(name, found.has(name) ? undefined : element);
  }
  return found;
}

/** Whether this is a path as `fit` makes them. */
export function isPath(value: unknown): value is Path {
  return (
    Array.isArray(value)
    && value.length > 0
    && value.every(
      (segment: unknown) =>
        typeof segment === 'string'
        || (Array.isArray(segment)
          && Number.isInteger(segment[0])
          && (segment.length === 1 || (segment.length === 2 && typeof segment[1] === 'string'))),
    )
  );
}
