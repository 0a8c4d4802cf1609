import { createHash } from 'node:crypto';
import type { Difference } from './compare';

/** A place at which Azure has something else than what is wanted, without the values: they may be nobody else's business. */
export interface Drift {
  /** JSON pointer into the request body. */
  readonly path: string;
  /** Stands for the wanted and the actual value: the same difference has the same mark. It stands in an annotation, which others may read. */
  readonly mark: string;
  /** How earlier versions have marked it, so that what they have recorded is still known. Never recorded again. */
  readonly formerMark?: string;
}

/** What marks must not tell. */
export interface MarkSecrecy {
  /** Of the object, so that equal values of two objects have different marks: its uid. */
  readonly salt: string;
  /** Values of Secrets that are in the body. */
  readonly secrets: readonly string[];
  /** Stands for the versions of these Secrets. */
  readonly versions: string;
}

/** Long enough to tell two differences at one path apart. */
const MARK_LENGTH = 12;
/** No former mark begins with it. */
const SALTED = '~';

/**
 * The differences without their values.
 * @param secrecy absent: as earlier versions have marked them, which is not to be recorded
 */
export function driftOf(differences: readonly Difference[], secrecy?: MarkSecrecy): Drift[] {
  if (!secrecy) return differences.map(({ path, wanted, actual }) => ({ path, mark: formerMarkOf(wanted, actual) }));
  const hidden = secrecy.secrets.filter((secret) => secret !== '').map((secret) => secret.toLowerCase());
  return differences.map(({ path, wanted, actual }) => {
    const formerMark = formerMarkOf(wanted, actual);
    // Salt is no help where the value is a weak password: whoever reads the object could try a list of them. So a secret goes into no mark.
    if (holdsSecret([wanted, actual], hidden)) return { path, mark: digest([secrecy.salt, path, secrecy.versions]), formerMark };
    return { path, mark: digest([secrecy.salt, canonical(wanted), canonical(actual)]), formerMark };
  });
}

/** Whether a mark that was recorded is that of the difference. */
export function isMarkOf(recorded: string | undefined, { mark, formerMark }: Drift): boolean {
  return recorded !== undefined && (recorded === mark || recorded === formerMark);
}

function digest(value: unknown): string {
  return SALTED + createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, MARK_LENGTH);
}

function formerMarkOf(wanted: unknown, actual: unknown): string {
  return createHash('sha256').update(JSON.stringify([canonical(wanted), canonical(actual)])).digest('base64url').slice(0, MARK_LENGTH);
}

/** Whether a secret stands somewhere in it, alone or within a longer text. */
function holdsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  if (typeof value === 'string') {
    const text = value.toLowerCase();
    return secrets.some((secret) => text.includes(secret));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holdsSecret(inner, secrets));
}

/** The same whatever the order of keys; `undefined` is not `null`. */
function canonical(value: unknown): unknown {
  if (value === undefined) return ['undefined'];
  if (Array.isArray(value)) return ['list', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, inner]) => [key, canonical(inner)]);
}
