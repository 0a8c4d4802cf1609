/** Where in an object: property names and indexes. */
export type Path = readonly (string | number)[];

/** One place at which an object is not as wanted. */
export interface Difference {
  readonly path: Path;
  /** What is wanted there. */
  readonly want: string;
  /** How much of the pattern is missed here: tells which of several objects is the closest. */
  readonly cost: number;
  /** What there is, where the value at the path does not say it. */
  readonly got?: string;
  /** Why this place is looked at. */
  readonly remark?: string;
}

/** Takes values: a `Capture`. */
export interface ValueTaker {
  _take(value: unknown): void;
}

/** A value that a capture is to take if the whole object matches. */
export interface Captured {
  readonly capture: ValueTaker;
  readonly value: unknown;
}

/** How a value compares to a pattern. */
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

/** The candidate whose comparison costs least; the first of several. */
export function closest<T extends { readonly comparison: Comparison }>(candidates: readonly T[]): T | undefined {
  return candidates.reduce<T | undefined>((best, each) => (best && costOf(best.comparison) <= costOf(each.comparison) ? best : each), undefined);
}
