/** Delays that double from attempt to attempt. */
export interface BackoffOptions {
  /** Of the first attempt, in milliseconds. */
  readonly base: number;
  /** Upper bound, in milliseconds. */
  readonly max: number;
  /** Share of the delay that is left to chance, 0 to 1. Default 0. */
  readonly jitter?: number;
}

/**
 * The delay before the next attempt, after so many failures (1 for the first). With jitter j it is uniform in [d·(1−j), d], so that `max`
 * is never exceeded.
 */
export function backoffDelay(failures: number, options: BackoffOptions, random: () => number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 52);
  const delay = Math.min(options.base * 2 ** exponent, options.max);
  return delay - delay * (options.jitter ?? 0) * random();
}

/** Counts failures by key: one object's failures never slow another. */
export class KeyedBackoff {
  private readonly failures = new Map<string, number>();

  public constructor(private readonly options: BackoffOptions, private readonly random: () => number) {}

  /** Counts a failure and answers the delay before the next attempt, in milliseconds. */
  public next(key: string): number {
    const failures = this.failuresOf(key) + 1;
    this.failures.set(key, failures);
    return backoffDelay(failures, this.options, this.random);
  }

  /** After a success, or when the object is gone. */
  public forget(key: string): void {
    this.failures.delete(key);
  }

  public failuresOf(key: string): number {
    return this.failures.get(key) ?? 0;
  }
}
