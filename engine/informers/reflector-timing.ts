import type { BackoffOptions } from '../kubernetes/backoff';

/** Timing of an informer; the defaults suit a real cluster. */
export interface ReflectorTiming {
  /** Objects per page. Default 500. */
  readonly pageSize: number;
  /** The server ends a watch after a random time in this range, in seconds. Default 5 to 10 minutes. */
  readonly watchSeconds: readonly [min: number, max: number];
  /** Silence after which a connection with bookmarks (about one a minute) counts as dead. Default 3 min. */
  readonly silenceWithBookmarks: number;
  /** Grace after the time at which the server should have ended the watch. Default 30 s. */
  readonly grace: number;
  /** Time without any event or bookmark after which the reflector lists again. Default 15 min. */
  readonly relistAfter: number;
  readonly backoff: BackoffOptions;
}

export const DEFAULT_TIMING: ReflectorTiming = {
  pageSize: 500,
  watchSeconds: [300, 600],
  silenceWithBookmarks: 180_000,
  grace: 30_000,
  relistAfter: 900_000,
  backoff: { base: 1_000, max: 30_000, jitter: 0.5 },
};
