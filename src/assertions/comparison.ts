/** A path in an object: property names and indexes. */
export type Path = readonly (string | number)[];

/** One place at which an object differs from the pattern. */
export interface Difference {
  readonly path: Path;
  /** The expected value, as text. */
  readonly want: string;
  /** The number of missed values of the pattern, to find the closest of several objects. */
  readonly cost: number;
  /** The actual value, if it is not the value at the path. */
  readonly got?: string;
  /** Why this place was compared. */
  readonly remark?: string;
}

/** Receives captured values; implemented by `Capture`. */
export interface ValueTaker {
  _take(value: unknown): void;
}

/** A value to capture if the whole object matches. */
export interface Captured {
  readonly capture: ValueTaker;
  readonly value: unknown;
}

/** The result of comparing a value to a pattern. */
export interface Comparison {
  readonly differences: readonly Difference[];
  readonly captured: readonly Captured[];
}

export const SAME: Comparison = { differences: [], captured: [] };

export function different(difference: Difference): Comparison {
  return { differences: [difference], captured: [] };
}

export function together(parts: readonly Comparison[]): Comparison {
  return { differences: parts.flatMap(({ differences }) => differences), captured: parts.flatMap(({ captured }) => captured) };
}

export function matches({ differences }: Comparison): boolean {
  return differences.length === 0;
}

export function costOf({ differences }: Comparison): number {
  return differences.reduce((sum, { cost }) => sum + cost, 0);
}

/** The candidate whose comparison has the lowest cost; the first of several. */
export function closest<T extends { readonly comparison: Comparison }>(candidates: readonly T[]): T | undefined {
  return candidates.reduce<T | undefined>(
    (best, each) => (best && costOf(best.comparison) <= costOf(each.comparison) ? best : each),
    undefined,
  );
}
