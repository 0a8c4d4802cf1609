import { DURATION_OR_TIME, squeezed } from './scalars';
import type { Shape } from './shape';
import { isRecord } from '../../src/util/records';

type Json = Readonly<Record<string, unknown>>;

/** Shorter lists are compared pair by pair. */
const SHORT = 32;

/**
 * The places at which the partner of each wanted element can be: the elements that contain the rarest of its scalars. Undefined for short
 * lists, in which every element is a candidate.
 */
export function candidatesOf(
  wanted: readonly unknown[],
  actual: readonly unknown[],
  shape: Shape,
): ((item: number) => Iterable<number>) | undefined {
  if (wanted.length * actual.length <= SHORT * SHORT) return undefined;
  const all = [...actual.keys()];
  const places = new Map<string, number[]>();
  actual.forEach((element, place) => {
    for (const mark of new Set(marksOf(element, markOf))) {
      const found = places.get(mark);
      if (found) found.push(place);
      else places.set(mark, [place]);
    }
  });
  return (item) => {
    const marks = marksOf(wanted[item], certainMarkOf, shape);
    return marks.reduce<readonly number[]>((fewest, mark) => {
      const found = places.get(mark) ?? [];
      return found.length < fewest.length ? found : fewest;
    }, all);
  };
}

/** Marks that two elements must share to be equal: their scalars, without the differences that `sameScalar` ignores. */
function marksOf(element: unknown, mark: (value: unknown) => string | undefined, shape?: Shape): string[] {
  const own = mark(element);
  if (own !== undefined) return [own];
  if (!isRecord(element)) return [];
  return Object.entries(element as Json).flatMap(([key, value]) => {
    const below = shape?.values ?? shape?.members?.get(key);
    const found = below?.secret ? undefined : mark(value);
    return found === undefined ? [] : [`${key.toLowerCase()}=${found}`];
  });
}

function markOf(value: unknown): string | undefined {
  if (typeof value === 'string') return squeezed(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Undefined for a wanted value that may equal a value that looks different, or an absent one. */
function certainMarkOf(value: unknown): string | undefined {
  if (value === '' || value === 0 || value === false || (typeof value === 'string' && DURATION_OR_TIME.test(value))) return undefined;
  return markOf(value);
}
