import type { ChangeFacts } from './facts';

type Scalar = string | number | boolean;

/** Azure's enumerations, regions and ids ignore case. */
export function sameWord(one: unknown, other: unknown): boolean {
  return folded(one) === folded(other);
}

/** Whether Azure takes the change from one value to another one, by what the catalog has of the property. */
export function allows({ takes = [], order }: ChangeFacts, before: Scalar, after: Scalar): boolean {
  return takes.some((one) => {
    if (one === 'up') return !isLess(after, before, order);
    if (typeof one === 'string') return false;
    return matches(one.from, before) && matches(one.to, after);
  });
}

/** Whether a value is certainly less than another one. Without an order: of numbers and versions. */
function isLess(one: Scalar, other: Scalar, order: readonly string[] | undefined): boolean {
  if (order) {
    const rank = (value: Scalar) => order.findIndex((known) => sameWord(known, value));
    return rank(one) < 0 || rank(other) < 0 || rank(one) < rank(other);
  }
  const [parts, others] = [numbersIn(one), numbersIn(other)];
  if (!parts || !others) return false;
  // `1.29` may be any 1.29.x.
  for (let index = 0; index < Math.min(parts.length, others.length); index += 1) {
    if (parts[index] !== others[index]) return parts[index]! < others[index]!;
  }
  return false;
}

function numbersIn(value: Scalar): number[] | undefined {
  return /^\d+(\.\d+)*$/.test(String(value)) ? String(value).split('.').map(Number) : undefined;
}

/** Whether one of the values, each with `*` at its end for any text, is the given one; without values, any is. */
function matches(values: readonly Scalar[] | undefined, value: Scalar): boolean {
  return values === undefined || values.some((known) => (
    typeof known === 'string' && known.endsWith('*')
      ? String(folded(value)).startsWith(String(folded(known.slice(0, -1))))
      : sameWord(known, value)
  ));
}

const ROLE_DEFINITIONS = '/providers/microsoft.authorization/roledefinitions/';

/** Of the id of a role definition Azure keeps the UUID alone, so the subscription before it says nothing (engine/compare/scalars.ts). */
function folded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.toLowerCase().replace(/ /g, '');
  const role = word.lastIndexOf(ROLE_DEFINITIONS);
  return role < 0 ? word : word.slice(role);
}
