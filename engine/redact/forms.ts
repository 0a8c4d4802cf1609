import { textBefore } from '../../src/util/text-before';

/** Maximum length of a secret whose encodings are searched for as written; longer ones are found in their bare form. */
const LONGEST_WRITTEN = 512;

/** Names of secret parts of a connection string, a query or a JSON document. */
const SECRET_NAME = /key|secret|password|passwd|pwd|signature|^sig$|token|credential/i;
/** Maximum number of parts of one secret that are searched for separately. */
const MOST_PARTS = 200;

/** The values to redact for one secret: the secret, its lines, and the secret parts of a connection string or URL. */
export function valuesOf(secret: string): string[] {
  // Messages may quote a single line of a key or certificate.
  const lines = secret.includes('\n') ? secret.split(/\r?\n/, MOST_PARTS).filter(({ length }) => length >= 16) : [];
  return [secret, secret.trim(), ...lines, ...partsOf(secret)];
}

function partsOf(secret: string): string[] {
  const pairs = secret.includes('=')
    ? secret.split(/[;&\s?]/, MOST_PARTS).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
    : [];
  const named = pairs
    .filter(([name, value]) => name !== '' && value.length >= 6 && SECRET_NAME.test(name.slice(0, 64)))
    .map(([, value]) => value);
  return [...named, ...named.map(percentDecoded), ...userInfoOf(secret), ...jsonMembersOf(secret)];
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The password of `scheme://user:password@host`. */
function userInfoOf(secret: string): string[] {
  const scheme = secret.indexOf('://');
  if (scheme < 0) return [];
  const authority = textBefore(secret.slice(scheme + 3), /[/?#\s]/);
  const [at, colon] = [authority.lastIndexOf('@'), authority.indexOf(':')];
  return at > colon && colon >= 0 ? [authority.slice(colon + 1, at), percentDecoded(authority.slice(colon + 1, at))] : [];
}

/** The strings of a small JSON document whose member names mark them as secret. */
function jsonMembersOf(secret: string): string[] {
  if (!/^\s*[[{]/.test(secret)) return [];
  try {
    const found: string[] = [];
    JSON.parse(secret, (name, value: unknown) => {
      if (typeof value === 'string' && value.length >= 6 && found.length < MOST_PARTS && SECRET_NAME.test(name.slice(0, 64))) {
        found.push(value);
      }
      return undefined;
    });
    return found;
  } catch {
    return [];
  }
}

/**
 * The forms of a value in a message: unchanged, and in each encoding that Azure, proxies, databases and their clients use for quotations.
 */
export function writtenForms(value: string): string[] {
  if (value.length > LONGEST_WRITTEN) return [value];
  const json = JSON.stringify(value).slice(1, -1);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const percent = encodeURIComponent(Buffer.from(value).toString());
  const doubled = value.replaceAll("'", "''");
  return [
    value,
    value.replace(/\s+/g, ' ').trim(),
    json,
    json.replaceAll('/', '\\/'),
    // Go and .NET escape characters that are HTML markup.
    json.replace(/[<>&'+\u2028\u2029]/g, unicodeEscape),
    json.replace(/[<>&\u2028\u2029]/g, unicodeEscape),
    json.replace(/[<>&'+\u0080-\uffff]/g, unicodeEscape),
    html,
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#x27;'),
    html.replaceAll("'", '&apos;'),
    percent,
    lowerHex(percent),
    percent.replace(/[!'()*~]/g, percentEscape),
    lowerHex(percent.replace(/[!'()*~]/g, percentEscape)),
    percent.replaceAll('%20', '+'),
    Buffer.from(value).toString('latin1').replace(/[^]/g, percentEscape),
    doubled,
    doubled.replaceAll('\\', '\\\\'),
    value.replaceAll('"', '""'),
    value.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    ...encodedBytes(value),
  ];
}

/** The bytes of a value as hexadecimal digits or base64. */
export function encodedBytes(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  return [hex, hex.toUpperCase(), ...base64Forms(value)];
}

/**
 * The base64 forms of a value at any place of the encoded bytes (alone, or behind the colon of `user:password`): without the characters at
 * the ends, which depend on the neighbours.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64').replace(/={1,2}$/, '');
    // Each character has six bits; the first ones also encode the bytes before, the last one the bytes after.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const whole = encoded.slice(first, last);
    return [...(before === 0 ? [encoded] : []), whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function percentEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

function lowerHex(percent: string): string {
  return percent.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}
