import { mutations } from './mutations';
import type { Pair } from './pairs';
import { bodyShape, compare } from '../../engine/compare';

/** The answers of the comparer for a request in which single values are changed, one at a time. */
export interface Changes {
  /** Values that were changed. */
  readonly changed: number;
  /** Changes that it does not report, or not at their paths alone. */
  readonly unseen: readonly string[];
  /** Paths of values that Azure does not give back, so that their changes cannot be seen there. */
  readonly writeOnly: readonly string[];
}

export function changesOf(pair: Pair): Changes {
  const shape = bodyShape(pair.version);
  const before = new Set(compare(pair.body, pair.answer, shape).map(({ path }) => path));
  const all = mutations(pair.body, shape);
  const changed = all.filter(({ writeOnly }) => !writeOnly);
  return {
    changed: changed.length,
    unseen: changed.flatMap(({ path, body }) => {
      if (before.has(path) || [...before].some((known) => path.startsWith(`${known}/`))) return [];
      const now = compare(body, pair.answer, shape)
        .map((difference) => difference.path)
        .filter((found) => !before.has(found));
      return now.length === 1 && now[0] === path
        ? []
        : [`${path}: was changed, and the comparer says ${now.length === 0 ? 'nothing' : now.join(', ')}`];
    }),
    writeOnly: all.flatMap(({ path, writeOnly }) => (writeOnly ? [path] : [])),
  };
}
