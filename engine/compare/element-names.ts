import { isScalar, plainText } from './scalars';
import { memberShape, NOTHING_KNOWN, type Shape } from './shape';
import { isArmId } from '../../src/azure/arm-id';
import { UUID } from '../../src/azure/uuid';
import { parseAddress, parseCidr } from '../../src/util/cidr';
import { pointerStep, stepsOf } from '../../src/util/json-pointer';
import { isRecord } from '../../src/util/records';
import { shortened } from '../../src/util/words';

/** Members that identify elements of which the catalog knows nothing, e.g. in free JSON; the first one that an element has counts. */
const USUAL_IDENTITIES: readonly (readonly string[])[] = [['name'], ['id']];
/** Names of elements stand in events and conditions. Characters. */
const LONGEST_NAME = 100;

/** A text that only the same element has, in whichever spelling; undefined: the element has nothing that identifies it. */
export function identityOf(element: unknown, shape: Shape): string | undefined {
  if (!isRecord(element)) return undefined;
  const keys = identityKeys(element, shape);
  if (!keys || !isScalar(valueOf(element, keys[0]!))) return undefined;
  return keys.map((key) => plain(valueOf(element, key), shapeAt(shape.element, key))).join('\u0000');
}

/**
 * The name of an element, for people: `objectId=1234…`, or the element itself where it is a word, a number, an id or an address. Undefined
 * for other texts, which may be confidential, and for elements without identity.
 */
export function elementName(element: unknown, shape: Shape): string | undefined {
  const own = shape.element ?? NOTHING_KNOWN;
  if (!isRecord(element)) return isShowable(element, own) ? shortened(String(element), LONGEST_NAME) : undefined;
  const keys = identityKeys(element, shape) ?? [];
  const parts = keys.flatMap((key) => {
    const value = valueOf(element, key);
    return isScalar(value) && value !== '' && !shapeAt(own, key).secret ? [`${key}=${String(value)}`] : [];
  });
  return parts.length === 0 ? undefined : shortened(parts.join(', '), LONGEST_NAME);
}

/** A JSON pointer with the names of elements in the place of their numbers, as far as they have one. */
export function namedPath(path: string, body: unknown, shape: Shape): string {
  if (!/\/\d+(\/|$)/.test(path)) return path;
  let value = body;
  let at = shape;
  let named = '';
  for (const step of stepsOf(path)) {
    if (Array.isArray(value)) {
      const element: unknown = value[Number(step)];
      const name = elementName(element, at);
      named += `/${name === undefined ? step : pointerStep(`[${name}]`)}`;
      value = element;
      at = at.element ?? NOTHING_KNOWN;
    } else {
      named += `/${pointerStep(step)}`;
      value = isRecord(value) ? value[step] : undefined;
      at = memberShape(at, step);
    }
  }
  return named;
}

/** Whether a value may be shown: no text of the user's own, which may be confidential. */
export function isShowable(value: unknown, { word, id, secret, spelling }: Shape): boolean {
  if (secret) return false;
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value !== 'string' || value === '') return false;
  if (word || id || spelling === 'region' || spelling === 'hostName' || spelling === 'shortVersion') return true;
  return isArmId(value) || (spelling !== 'exact' && (UUID.test(value) || parseAddress(value) !== undefined || parseCidr(value) !== undefined));
}

function identityKeys(element: Readonly<Record<string, unknown>>, { identity }: Shape): readonly string[] | undefined {
  return identity ?? USUAL_IDENTITIES.find(([key]) => isScalar(element[key!]));
}

function valueOf(element: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split('/').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), element);
}

function shapeAt(shape: Shape | undefined, path: string): Shape {
  return path.split('/').reduce(memberShape, shape ?? NOTHING_KNOWN);
}

function plain(value: unknown, shape: Shape): string {
  return typeof value === 'string' ? plainText(value, shape) : isScalar(value) ? String(value) : '';
}
