import { isShowable, memberShape, type Difference, type Shape } from '../../../engine/compare';
import { stepsOf } from '../../../src/util/json-pointer';
import { asText, shortened } from '../../../src/util/words';
import { looksSecret } from '../../diff/secret-looking';
import { oneLine } from '../../output/problem';

/** Longer values are cut off. */
const LONGEST = 160;

/**
 * The values of a difference, as far as a plan may show them: it is printed into logs and comments. Shown are numbers, `true` and `false`,
 * words of an enumeration, locations, SKUs and ids; whatever else a text may be (an environment variable, a script) is nobody's business.
 */
export function printableValues({ path, wanted, actual }: Difference, shape: Shape): { old?: string; new?: string } {
  const keys = stepsOf(path);
  const at = shapeAt(shape, keys);
  const values = [wanted, actual].filter(isThere);
  const may = !at.userKeys && values.every((value) => isPrintable(value, keys, at.shape)) && !looksSecret(keys.join('.'), wanted, actual);
  if (!may) return {};
  return { ...(isThere(actual) ? { old: formatValue(actual) } : {}), ...(isThere(wanted) ? { new: formatValue(wanted) } : {}) };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isPrintable(value: unknown, keys: readonly string[], shape: Shape | undefined): boolean {
  if (isShowable(value, shape ?? {})) return true;
  if (typeof value !== 'string') return false;
  // The name of the property below `sku`: not of a map in it.
  const sku = keys.at(-2)?.toLowerCase() === 'sku' || keys.at(-1)?.toLowerCase() === 'sku';
  return sku;
}

/** The catalog's facts at a path; `userKeys`: on the way there is a map with keys of the user's own, e.g. settings of an app. */
function shapeAt(shape: Shape, keys: readonly string[]): { shape: Shape | undefined; userKeys: boolean } {
  let at: Shape | undefined = shape;
  let userKeys = false;
  for (const key of keys) {
    if (at?.values) userKeys = true;
    at = at?.element ?? (at && memberShape(at, key));
  }
  return { shape: at, userKeys };
}

function formatValue(value: unknown): string {
  return shortened(oneLine(asText(value)), LONGEST);
}
