import type { Observed } from './observed';
import { waitingSince } from './overdue';
import type { Operation } from '../../../engine/objects/waiting';
import { thinningPollDelayMs, timedPollDelayMs } from '../../../engine/schedule';
import { SHORTEST_DELAY_MS } from '../requeue-delay';

/**
 * Milliseconds until the next poll of an operation: at its usual end, then in steps; never before Azure's `Retry-After`. Where the time of
 * such operations is not known, early polls thin out: by the queue's own delays (undefined), or, where Azure names a time or that of a
 * creation is known, by the time that the operation has taken.
 * @param isNew whether Azure has just accepted the request; the annotation has whole seconds only
 */
export function pollDelayMs(
  observed: Observed, operation: Operation, retryAfterSeconds: number | undefined, isNew: boolean,
): number | undefined {
  const { object, now, traits: { usualOperationMs, timeScale = 1 } } = observed;
  const usualMs = usualMsOf(observed, operation);
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  const since = isNew ? now : waitingSince(object, operation);
  if (since === undefined) return retryAfterMs;
  const elapsedMs = Math.max(now - since, 0);
  const similarMs = operation === 'put' ? usualOperationMs?.create : undefined;
  if (usualMs === undefined && similarMs === undefined && retryAfterMs === undefined) return undefined;
  const delayMs = usualMs === undefined
    ? thinningPollDelayMs({ elapsedMs, similarMs, timeScale })
    : timedPollDelayMs({ usualMs, elapsedMs, timeScale });
  return Math.max(delayMs, SHORTEST_DELAY_MS, retryAfterMs ?? 0);
}

/** The usual time of the object's operation, in milliseconds; undefined: not known. */
function usualMsOf(observed: Observed, operation: Operation): number | undefined {
  const { usualOperationMs } = observed.traits;
  return usualOperationMs?.[operation === 'delete' ? 'delete' : isUpdate(observed) ? 'update' : 'create'];
}

/**
 * Whether the PUT changes a resource that was there: this reconcile has read it, or an earlier one has put it into the status. The id alone
 * is there from the first PUT on (`own-id.ts`).
 */
function isUpdate({ object, present }: Observed): boolean {
  return present ?? Object.keys(object.status ?? {}).some((member) => member !== 'conditions' && member !== 'id');
}

/** The longest usual time of a PUT of the type, in milliseconds; undefined: none is known. */
export function longestUsualPutMs({ traits: { usualOperationMs: { create, update } = {} } }: Pick<Observed, 'traits'>): number | undefined {
  return create === undefined && update === undefined ? undefined : Math.max(create ?? 0, update ?? 0);
}
