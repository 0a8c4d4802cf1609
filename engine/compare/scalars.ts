import type { Shape } from './shape';
import { isArmId } from '../../src/azure/arm-id';
import { UUID } from '../../src/azure/uuid';

const LOCATION = /^location$|Locations?$|^region$|Region$/;
/** `Microsoft.Network/trafficManagerProfiles`: the case of resource types does not matter. */
const ARM_TYPE = /^Microsoft(\.\w+)+(\/\w+)+$/i;
const BOOLEAN = /^(true|false)$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;
/** The beginning of a time or a duration: the same moment or length has several spellings. */
export const DURATION_OR_TIME = /^(\d{4}-\d{2}-\d{2}T|P[T\d])/;
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Whether Azure's spelling of a value means the wanted value. `key` is the name of the property: the catalog does not mark locations.
 */
export function sameScalar(wanted: unknown, actual: unknown, key: string, shape: Shape): boolean {
  if (wanted === actual) return true;
  if (typeof wanted === 'string' && typeof actual === 'string') return sameText(wanted, actual, key, shape);
  // 8080 and "8080", true and "true": some providers store numbers as strings.
  if (isScalar(wanted) && isScalar(actual) && typeof wanted !== typeof actual) {
    return String(wanted).toLowerCase() === String(actual).toLowerCase();
  }
  return false;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function sameText(wanted: string, actual: string, key: string, shape: Shape): boolean {
  // Azure keeps the first spelling of a name, and compares names ignoring case.
  if (shape.word || shape.id || key === 'name') return sameIgnoringCase(wanted, actual);
  if (LOCATION.test(key) && squeezed(wanted) === squeezed(actual)) return true;
  if (isArmId(wanted) && isArmId(actual)) return sameIgnoringCase(wanted, actual);
  if ([ARM_TYPE, UUID, BOOLEAN].some((pattern) => pattern.test(wanted))) return sameIgnoringCase(wanted, actual);
  if (TIME.test(wanted) && TIME.test(actual)) return Date.parse(wanted) === Date.parse(actual);
  if (wanted.startsWith('P') && actual.startsWith('P')) return secondsOf(wanted) === secondsOf(actual);
  return false;
}

function sameIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** `West US 2` and `westus2` are one location. */
export function squeezed(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

/** Seconds of an ISO 8601 duration without months and years; any other text is compared unchanged. */
function secondsOf(text: string): number | string {
  const parts = DURATION.exec(text);
  if (!parts || text === 'P' || text.endsWith('T')) return text;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
