import type { Observed } from './observed';
import { waitingSince } from './overdue';
import { timedPollDelayMs } from '../../../engine/schedule';
import { SHORTEST_DELAY_MS } from '../requeue-delay';

/**
 * Milliseconds until the next poll of a PUT's operation: at its usual end, then in steps; never before Azure's `Retry-After`. Undefined:
 * the queue's own delays, because the time of such operations is not known and Azure names none.
 * @param isNew whether Azure has just accepted the PUT; the annotation has whole seconds only
 */
export function pollDelayMs(observed: Observed, retryAfterSeconds: number | undefined, isNew: boolean): number | undefined {
  const { object, now, traits: { usualOperationMs: usualMs, timeScale = 1 } } = observed;
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  const since = isNew ? now : waitingSince(object, 'put');
  if (usualMs === undefined || since === undefined) return retryAfterMs;
  return Math.max(timedPollDelayMs({ usualMs, elapsedMs: Math.max(now - since, 0), timeScale }), SHORTEST_DELAY_MS, retryAfterMs ?? 0);
}
