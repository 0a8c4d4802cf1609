import { createHash } from 'node:crypto';
import type { Difference } from './compare';

/** A place at which the resource in Azure differs from the wanted body, without the values, which may be confidential. */
export interface Drift {
  /** JSON pointer into the request body, as that of a `Difference`. */
  readonly path: string;
  /** The path with the names of elements in the place of their numbers. Absent: `path` has no numbers. */
  readonly named?: string;
  /** The user's own object that describes this part of the resource as well. */
  readonly alsoIn?: string;
  /**
   * Digest of the wanted and the actual value: equal for the same difference. It is stored in an annotation, which other users may read.
   */
  readonly mark: string;
  /** The mark in the format of earlier versions, so that their records are still recognised. Never recorded again. */
  readonly formerMark?: string;
}

/** The secrets that marks must not reveal. */
export interface MarkSecrecy {
  /** The uid of the object, so that equal values of two objects have different marks. */
  readonly salt: string;
  /** Values of Secrets that the body contains. */
  readonly secrets: readonly string[];
  /** Digest of the versions of these Secrets. */
  readonly versions: string;
}

/** Long enough to distinguish two differences at one path. */
const MARK_LENGTH = 12;
/** Prefix of salted marks; no former mark begins with it. */
const SALTED = '~';

/**
 * The differences without their values.
 * @param secrecy absent: marks in the format of earlier versions, which must not be recorded
 */
export function driftOf(differences: readonly Difference[], secrecy?: MarkSecrecy): Drift[] {
  if (!secrecy) return differences.map(({ path, wanted, actual }) => ({ path, mark: formerMarkOf(wanted, actual) }));
  const hidden = secrecy.secrets.filter((secret) => secret !== '').map((secret) => secret.toLowerCase());
  return differences.map(({ path, named, alsoIn, wanted, actual }) => {
    const place = { path, ...(named === undefined ? {} : { named }), ...(alsoIn === undefined ? {} : { alsoIn }) };
    const formerMark = formerMarkOf(wanted, actual);
    // Salt does not protect a weak password: a reader of the object could try a list of passwords. So no mark contains a secret.
    if (holdsSecret([wanted, actual], hidden)) return { ...place, mark: digest([secrecy.salt, path, secrecy.versions]), formerMark };
    return { ...place, mark: digest([secrecy.salt, canonical(wanted), canonical(actual)]), formerMark };
  });
}

/** Whether a recorded mark belongs to the difference. */
export function isMarkOf(recorded: string | undefined, { mark, formerMark }: Drift): boolean {
  return recorded !== undefined && (recorded === mark || recorded === formerMark);
}

function digest(value: unknown): string {
  return SALTED + createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, MARK_LENGTH);
}

function formerMarkOf(wanted: unknown, actual: unknown): string {
  return createHash('sha256').update(JSON.stringify([canonical(wanted), canonical(actual)])).digest('base64url').slice(0, MARK_LENGTH);
}

/** Whether the value contains a secret, alone or within a longer text. */
function holdsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  if (typeof value === 'string') {
    const text = value.toLowerCase();
    return secrets.some((secret) => text.includes(secret));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holdsSecret(inner, secrets));
}

/** A form independent of the order of keys; `undefined` differs from `null`. */
function canonical(value: unknown): unknown {
  if (value === undefined) return ['undefined'];
  if (Array.isArray(value)) return ['list', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, inner]) => [key, canonical(inner)]);
}
