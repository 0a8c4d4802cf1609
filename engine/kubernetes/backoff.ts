/** Delays that double from attempt to attempt. */
export interface BackoffOptions {
  /** Delay after the first failure, in milliseconds. */
  readonly base: number;
  /** Upper bound, in milliseconds. */
  readonly max: number;
  /** Random share of the delay, 0 to 1. Default 0. */
  readonly jitter?: number;
}

/**
 * The delay before the next attempt after so many failures (1 for the first). With jitter j it is uniform in [d·(1−j), d], so it never
 * exceeds `max`.
 */
export function backoffDelay(failures: number, options: BackoffOptions, random: () => number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 52);
  const delay = Math.min(options.base * 2 ** exponent, options.max);
  return delay - delay * (options.jitter ?? 0) * random();
}

/** Counts failures by key, so that one object's failures never delay another object. */
export class KeyedBackoff {
  private readonly failures = new Map<string, number>();

  public constructor(private readonly options: BackoffOptions, private readonly random: () => number) {}

  /** Counts a failure and returns the delay before the next attempt, in milliseconds. */
  public next(key: string): number {
    const failures = this.failuresOf(key) + 1;
    this.failures.set(key, failures);
    return backoffDelay(failures, this.options, this.random);
  }

  /** Resets the count; call it after a success, or when the object is deleted. */
  public forget(key: string): void {
    this.failures.delete(key);
  }

  public failuresOf(key: string): number {
    return this.failures.get(key) ?? 0;
  }
}
