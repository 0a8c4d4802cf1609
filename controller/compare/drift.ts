import { createHash } from 'node:crypto';
import type { Difference } from './compare';

/** A place at which Azure has something else than what is wanted, without the values: they may be nobody else's business. */
export interface Drift {
  /** JSON pointer into the request body. */
  readonly path: string;
  /** Stands for the wanted and the actual value: the same difference has the same mark. */
  readonly mark: string;
}

/** Long enough to tell two differences at one path apart. */
const MARK_LENGTH = 12;

/** The differences without their values. */
export function driftOf(differences: readonly Difference[]): Drift[] {
  return differences.map(({ path, wanted, actual }) => ({ path, mark: markOf(wanted, actual) }));
}

function markOf(wanted: unknown, actual: unknown): string {
  return createHash('sha256').update(JSON.stringify([canonical(wanted), canonical(actual)])).digest('base64url').slice(0, MARK_LENGTH);
}

/** The same whatever the order of keys; `undefined` is not `null`. */
function canonical(value: unknown): unknown {
  if (value === undefined) return ['undefined'];
  if (Array.isArray(value)) return ['list', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, inner]) => [key, canonical(inner)]);
}
