import { durationText } from './duration-text';
import type { Cause, InspectionNode } from './types';
import { ownValue } from '../../src/util/elements';
import { classify } from '../arm/classify';
import { ArmError, type RetryClass } from '../arm/types';
import { DEFAULT_SYNC_PERIOD_MS, JITTER, PROPAGATION_CAP_MS, PROPAGATION_TRIES, RETRY_CAP_MS } from '../schedule';

/** The next reconciliation of an object, as far as its condition shows it. */
export interface NextTry {
  /** `event`: it is woken; `timer`: by the clock as well; `sync`: the next sync; `none`: somebody has to change something. */
  readonly by: 'event' | 'timer' | 'sync' | 'poll' | 'none';
  /** Latest time, in milliseconds since the epoch; undefined: not known. */
  readonly before?: number | undefined;
  readonly text: string;
}

/** Retry classes of the reasons that are none of Azure's codes (docs/spec/conditions.md#reasons). */
const RETRY: Readonly<Record<string, RetryClass>> = {
  WaitingForOwner: 'fast',
  ReferenceNotFound: 'fast',
  SecretNotFound: 'fast',
  ConfigMapNotFound: 'fast',
  CacheNotSynced: 'fast',
  KindNotWatched: 'fast',
  DeletionNotSupportedInAzure: 'verySlow',
};
/** Reads of a resource that is not in Azure, and that the object may not create, thin out to the sync period. */
const ABSENT = 'AzureResourceNotFound';
const PROPAGATING: ReadonlySet<string> = new Set(['AuthorizationFailed', 'LinkedAuthorizationFailed', 'PrincipalNotFound']);
/** Waits that end with an event of what is waited for. */
const WOKEN: ReadonlySet<string> = new Set(['owner', 'reference', 'secret', 'configMap', 'credential', 'turn', 'deletion']);
const LONGEST_SYNC = 1 + JITTER;

/** The class in which a reason is tried again. @param status HTTP status of Azure's answer, if it is known */
export function retryClassOf(reason: string, status?: number): RetryClass {
  return ownValue(RETRY, reason) ?? classify(new ArmError(reason, '', status)).retry;
}

/**
 * The next reconciliation of an object that is not settled. The condition does not say how often it was tried: delays double, so the next
 * one is at most as long as the time since the first failure.
 */
export function nextTry(node: InspectionNode, cause: Cause | undefined, now: number, status?: number): NextTry {
  const period = DEFAULT_SYNC_PERIOD_MS;
  const stopped = stoppedText(cause);
  if (stopped !== undefined) return { by: 'none', text: stopped };
  if (node.severity === 'Error') {
    return { by: 'sync', text: `not before the spec or an annotation changes, or the next sync (AZURE_SYNC_PERIOD, ${durationText(period)} by default); ASO does not try again at a sync` };
  }
  const since = node.since ?? now;
  if (node.operation && node.state !== 'Warning') {
    return { by: 'poll', before: now + 15_000, text: 'Azure is asked for the end of the operation every 15s, or when Retry-After says' };
  }
  const isWoken = node.waits.some((wait) => WOKEN.has(wait.for));
  if (node.severity !== 'Warning') {
    return { by: isWoken ? 'event' : 'timer', text: isWoken ? 'as soon as what it waits for has ended' : 'the reconciliation goes on by itself' };
  }
  const retry = retryClassOf(node.reason, status);
  if (retry === 'verySlow') {
    const before = since + period * LONGEST_SYNC;
    const text = `at the next sync (AZURE_SYNC_PERIOD, ${durationText(period)} by default), and at once when the spec or an annotation changes`;
    return { by: 'sync', before: before > now ? before : undefined, text };
  }
  const isPropagating = PROPAGATING.has(node.reason) && now - since < PROPAGATION_CAP_MS * PROPAGATION_TRIES;
  const cap = isPropagating ? PROPAGATION_CAP_MS : node.reason === ABSENT ? period : RETRY_CAP_MS[retry];
  // Clocks differ: a transition may lie in the future. Delays of an object that its owner wakes do not double.
  const wait = node.reason === 'WaitingForOwner' ? cap : Math.min(cap, Math.max(0, now - since) + 1000);
  const text = isWoken
    ? `as soon as what it waits for is there; otherwise within ${durationText(wait)}`
    : `within ${durationText(wait)} (${retry === 'fast' ? 'Fast' : 'Slow'}: 1, 2, 4 … ${cap / 1000} s)`;
  return { by: isWoken ? 'event' : 'timer', before: now + wait, text };
}

function stoppedText(cause: Cause | undefined): string | undefined {
  switch (cause?.code) {
    case 'NoController':
      return 'nothing happens before a controller runs';
    case 'OtherController':
    case 'NotWatched':
      return 'nothing happens before a controller looks after it';
    case 'Cycle':
      return 'nothing changes by itself: each object waits for the next one';
    default:
      return undefined;
  }
}
