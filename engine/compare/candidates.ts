import { plainText } from './scalars';
import { memberShape, NOTHING_KNOWN, type Shape } from './shape';
import { isRecord, type Struct } from '../../src/util/records';


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
    for (const mark of new Set(marksOf(element, markOf, (key) => memberInAnyCase(shape, key), shape))) {
      const found = places.get(mark);
      if (found) found.push(place);
      else places.set(mark, [place]);
    }
  });
  return (item) => {
    const marks = marksOf(wanted[item], certainMarkOf, (key) => memberShape(shape, key), shape);
    return marks.reduce<readonly number[]>((fewest, mark) => {
      const found = places.get(mark) ?? [];
      return found.length < fewest.length ? found : fewest;
    }, all);
  };
}

type MarkOf = (value: unknown, shape: Shape) => string | undefined;

/** Marks that two elements must share to be equal: their scalars, without the differences that `sameScalar` ignores. */
function marksOf(element: unknown, mark: MarkOf, shapeOf: (key: string) => Shape, shape: Shape): string[] {
  const own = mark(element, shape);
  if (own !== undefined) return [own];
  if (!isRecord(element)) return [];
  return Object.entries(element as Struct).flatMap(([key, value]) => {
    const found = mark(value, shapeOf(key));
    return found === undefined ? [] : [`${key.toLowerCase()}=${found}`];
  });
}

function memberInAnyCase(shape: Shape, key: string): Shape {
  const exact = shape.values ?? shape.members?.get(key);
  if (exact || !shape.members) return exact ?? NOTHING_KNOWN;
  const lower = key.toLowerCase();
  return [...shape.members].find(([name]) => name.toLowerCase() === lower)?.[1] ?? NOTHING_KNOWN;
}

function markOf(value: unknown, shape: Shape): string | undefined {
  if (typeof value === 'string') return plainText(value, shape);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Undefined for a wanted value that may equal an absent one, or one of another form. */
function certainMarkOf(value: unknown, shape: Shape): string | undefined {
  if (value === '' || value === 0 || value === false || shape.secret || shape.spelling === 'shortVersion' || shape.quantity) return undefined;
  return markOf(value, shape);
}
