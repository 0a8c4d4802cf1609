import type { Shape } from '../../engine/compare';
import { isArmId } from '../../src/azure/arm-id';
import { pointerOf } from '../../src/util/json-pointer';
import { isRecord } from '../../src/util/records';

export type Json = Readonly<Record<string, unknown>>;

const NOTHING_KNOWN: Shape = {};

export const isJson = (value: unknown): value is Json => isRecord(value);

export function memberShape(shape: Shape, key: string): Shape {
  return shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN;
}

/** An object whose keys may be `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries(entries);
}

/**
 * Possible answers of Azure to a body that it has taken as it is: in another order, with ids, regions and enumerations in another spelling,
 * with defaults and properties of its own, without what is secret, and without what is off or empty.
 */
export function disguised(body: unknown, shape: Shape): unknown {
  if (Array.isArray(body)) {
    const elements = body.map((item) => disguised(item, shape.element ?? NOTHING_KNOWN));
    return shape.ordered ? elements : elements.reverse();
  }
  if (typeof body === 'string') return respelt(body, shape);
  if (!isJson(body)) return body;
  const kept = Object.entries(body).filter(
    ([key, value]) => !memberShape(shape, key).secret && value !== false && value !== 0 && value !== '' && value !== null,
  );
  const own = kept
    .map(([key, value]) => [shape.keyedById ? key.toUpperCase() : key, disguised(value, memberShape(shape, key))] as const)
    .reverse();
  return objectOf(shape.members ? [['zzEtag', 'W/"1"'], ...own, ['zzDefaults', { enabled: true, of: ['azure'] }]] : own);
}

/** Another spelling of a text; the text itself where the catalog knows none, and its form says nothing. */
export function respelt(text: string, { id, word, spelling }: Shape): string {
  if (id || isArmId(text)) return text.toUpperCase();
  if (word) return text.toLowerCase();
  switch (spelling) {
    case 'region': return `${text.slice(0, 1).toUpperCase()}${text.slice(1, 2)} ${text.slice(2)}`;
    case 'caseless': return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
    case 'hostName': return `${text.toUpperCase()}.`;
    case 'shortVersion': return `${text}.7`;
    default: return text;
  }
}

/** One value of a body, and where it stands. */
export interface Leaf {
  readonly place: readonly (string | number)[];
  readonly secret: boolean;
}

/** Every value that is not null; what lies below a secret is secret. */
export function leaves(body: unknown, shape: Shape, place: readonly (string | number)[] = [], secret = shape.secret ?? false): Leaf[] {
  if (Array.isArray(body)) {
    return body.flatMap((item, index) =>
      leaves(item, shape.element ?? NOTHING_KNOWN, [...place, index], secret || (shape.element?.secret ?? false)),
    );
  }
  if (isJson(body)) {
    return Object.entries(body).flatMap(([key, value]) => {
      const below = memberShape(shape, key);
      return leaves(value, below, [...place, key], secret || (below.secret ?? false));
    });
  }
  return body === null ? [] : [{ place, secret }];
}

/** The body with another value in one place. */
export function changed(body: unknown, [first, ...rest]: Leaf['place']): unknown {
  if (first === undefined) return typeof body === 'string' ? `other than ${body}` : typeof body === 'number' ? body + 1000 : !body;
  if (Array.isArray(body)) return body.map((item, index) => (index === first ? changed(item, rest) : item));
  return objectOf(Object.entries(body as Json).map(([key, value]) => [key, key === first ? changed(value, rest) : value]));
}

/** JSON pointer. */
export function pointer({ place }: Leaf): string {
  return pointerOf(place);
}

/** The body with one list turned round, for each list of different texts or numbers. */
export function turned(body: unknown, shape: Shape): { readonly answer: unknown; readonly ordered: boolean }[] {
  if (shape.secret) return [];
  if (Array.isArray(body)) {
    const below = body.flatMap((item, index) =>
      turned(item, shape.element ?? NOTHING_KNOWN).map(({ answer, ordered }) => ({ answer: body.with(index, answer), ordered })));
    const isPlain = body.length > 1 && body.every((item) => !isJson(item) && !Array.isArray(item)) && new Set(body).size === body.length;
    return isPlain ? [{ answer: body.toReversed(), ordered: shape.ordered === true }, ...below] : below;
  }
  if (!isJson(body)) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    turned(value, memberShape(shape, key)).map(({ answer, ordered }) => (
      { answer: objectOf(Object.entries(body).map(([name, own]) => [name, name === key ? answer : own])), ordered })));
}
