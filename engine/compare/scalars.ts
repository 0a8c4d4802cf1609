import type { Shape } from './shape';
import { isArmId, parseArmId } from '../../src/azure/arm-id';
import { UUID } from '../../src/azure/uuid';
import { parseCidr } from '../../src/util/cidr';

/** `Microsoft.Network/trafficManagerProfiles`: the case of resource types does not matter. */
const ARM_TYPE = /^Microsoft(\.\w+)+(\/\w+)+$/i;
const BOOLEAN = /^(true|false)$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;
const DURATION = /^P(?=[\dT])(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
/** .NET's time span: `[d.]hh:mm:ss[.fffffff]`. */
const TIME_SPAN = /^(?:(\d+)\.)?(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)$/;
/** Scheme, host, port, and what follows the host. */
const URL_PARTS = /^(https?):\/\/([^/?#:@\s]+)(?::(\d+))?([/?#].*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const LONGEST_ADDRESS = 49;
/** Begins a text that is not as people or Azure write it, so that it equals no other text. */
const OTHER_FORM = '\u0000';

/** Whether Azure's spelling of a value means the wanted value. */
export function sameScalar(wanted: unknown, actual: unknown, shape: Shape): boolean {
  if (wanted === actual) return true;
  if (typeof wanted === 'string' && typeof actual === 'string') return sameText(wanted, actual, shape);
  // 8080 and "8080", true and "true": some providers store numbers as strings.
  if (isScalar(wanted) && isScalar(actual) && typeof wanted !== typeof actual) {
    return String(wanted).toLowerCase() === String(actual).toLowerCase();
  }
  return false;
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function sameText(wanted: string, actual: string, shape: Shape): boolean {
  const { spelling, quantity } = shape;
  if (spelling === 'shortVersion' && actual.startsWith(`${wanted}.`)) return true;
  if (plainText(wanted, shape) === plainText(actual, shape)) return true;
  return quantity === 'timespan' || quantity === 'iso8601' ? sameOrNone(lengthOf(wanted), lengthOf(actual)) : false;
}

function sameOrNone(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

/**
 * A text in one spelling: two texts mean the same where this is the same. Besides the facts of the catalog, the form of a text says what
 * it is (an id, a UUID, a time, a range of addresses), unless it is one of the user's own.
 */
export function plainText(text: string, { word, id, spelling }: Shape): string {
  if (spelling === 'region') return squeezed(text);
  if (spelling === 'hostName') return text.toLowerCase().replace(/\.$/, '');
  if (word || spelling === 'caseless') return text.toLowerCase();
  if (id) return plainId(text);
  if (spelling === 'exact') return isArmId(text) ? plainId(text) : text;
  return byForm(text);
}

function byForm(text: string): string {
  const first = text.charCodeAt(0);
  if (first === SLASH) return isId(text) ? plainId(text) : text;
  if (UUID.test(text) || BOOLEAN.test(text) || ARM_TYPE.test(text)) return text.toLowerCase();
  if (TIME.test(text)) return momentOf(text);
  return isoLength(text) ?? urlOf(text) ?? rangeOf(text) ?? text;
}

const SLASH = 47;

function isId(text: string): boolean {
  return isArmId(text.endsWith('/') ? text.slice(0, -1) : text);
}

/**
 * Azure answers with an id in other case, with a slash at its end, or with escapes. It keeps of the id of a role definition its UUID alone,
 * and answers with the subscription of the assignment, another one, or none
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/8558,
 * https://github.com/hashicorp/terraform-provider-azurerm/issues/4847): the UUID is unique in the tenant.
 */
function plainId(id: string): string {
  const lower = (id.endsWith('/') ? id.slice(0, -1) : id).toLowerCase();
  const plain = lower.includes('%') && !lower.includes('%2f') ? unescaped(lower) : lower;
  if (!plain.includes('/microsoft.authorization/roledefinitions/')) return plain;
  const { types, names } = parseArmId(plain) ?? {};
  return types?.length === 1 ? `/providers/microsoft.authorization/roledefinitions/${names![0]}` : plain;
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** `West US 2` and `westus2` are one region. */
export function squeezed(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

function momentOf(text: string): string {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? text : `${OTHER_FORM}${moment}`;
}

/** The length of a duration in ISO 8601: months and seconds, whose ratio is not fixed. */
function isoLength(text: string): string | undefined {
  const parts = DURATION.exec(text);
  if (!parts) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as
    [number, number, number, number, number, number, number];
  return `${OTHER_FORM}${years * 12 + months} months ${(((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds} seconds`;
}

/** The length of a duration in either form, where the catalog says that the text is one. */
function lengthOf(text: string): string | undefined {
  const parts = TIME_SPAN.exec(text);
  if (!parts) return isoLength(text);
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number];
  return `${OTHER_FORM}0 months ${((days * 24 + hours) * 60 + minutes) * 60 + seconds} seconds`;
}

/** A URL without what its scheme says anyway: case of the host, default port, the slash of an empty path (RFC 3986, section 6.2). */
function urlOf(text: string): string | undefined {
  if (!text.includes('://')) return undefined;
  const parts = URL_PARTS.exec(text);
  if (!parts) return undefined;
  const [, scheme = '', host = '', port, rest = '/'] = parts;
  const lower = scheme.toLowerCase();
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return `${lower}://${host.toLowerCase()}${port === undefined || port === DEFAULT_PORTS[lower] ? '' : `:${port}`}${path}`;
}

/** A range of addresses; one address is the range with it alone, as Key Vault answers for it. */
function rangeOf(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS || !/^[\da-f.:]+(\/\d+)?$/i.test(text)) return undefined;
  const range = parseCidr(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  return range && `${OTHER_FORM}v${range.version} ${range.first}-${range.last}`;
}
