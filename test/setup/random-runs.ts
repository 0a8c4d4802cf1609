/** How often and from where property tests draw their values. */
export interface RandomRuns {
  /** Undefined: fast-check takes another one each time, and tells it when a property fails. */
  readonly seed?: number;
  /** By how much every property's number of runs is multiplied. */
  readonly factor: number;
}

/** Any number would do; it must only stay, so that a test that passes here passes everywhere. */
const FIXED_SEED = 20_260_101;

/**
 * Settings in the environment: `FC_SEED` is an integer or `random` (default: always the same), `FC_RUNS` multiplies the runs (default: 1).
 *
 * @throws Error if either is something else
 */
export function randomRuns({ FC_SEED, FC_RUNS }: Readonly<Record<string, string | undefined>>): RandomRuns {
  const factor = Number(FC_RUNS || 1);
  if (!(factor > 0 && factor <= 1_000_000)) {
    throw new Error(`FC_RUNS is ${FC_RUNS}: give the factor by which runs are multiplied, e.g. 10 or 0.1`);
  }
  if (FC_SEED === 'random') return { factor };
  const seed = Number(FC_SEED || FIXED_SEED);
  if (!Number.isInteger(seed) || Math.abs(seed) > 0x7fffffff) {
    throw new Error(`FC_SEED is ${FC_SEED}: give an integer of 32 bits, or random`);
  }
  return { seed, factor };
}

/** So many times more (or fewer), at least once. */
export function multiplied(numRuns: number, { factor }: RandomRuns): number {
  return Math.max(1, Math.round(numRuns * factor));
}
