import type { Result } from './core/observed';

/** Shortest delay under a scale, so that no object is polled in a busy loop. Milliseconds. */
export const SHORTEST_DELAY_MS = 20;

/**
 * Milliseconds until the next reconcile. Delays that Azure asked for, and the sync period, stay; all others are scaled.
 *
 * @param delay as the result asks for, in milliseconds
 * @param scale factor by which the reconcile comes faster
 * @param reserve takes a token for a requeue without a given delay; returns the milliseconds until it may be used
 */
export function requeueDelay(delay: number, result: Result, scale: number, reserve: () => number = () => 0): number {
  if (isGiven(result)) return delay;
  const scaled = scale === 1 ? delay : Math.max(delay / scale, SHORTEST_DELAY_MS);
  return result.kind === 'requeue' ? Math.max(scaled, reserve()) : scaled;
}

function isGiven(result: Result): boolean {
  switch (result.kind) {
    case 'success':
      return true;
    case 'requeue':
      return Boolean(result.delay);
    case 'failure':
      // A fatal failure is only retried at the next sync.
      return result.failure.severity === 'Error' || Boolean(result.failure.retryAfterSeconds);
    case 'done':
      return false;
  }
}
