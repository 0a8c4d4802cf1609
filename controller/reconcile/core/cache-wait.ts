import { DELETING_MESSAGE, readyOf, withReady } from './conditions';
import { finish, type Decision, type Observed, type Result } from './observed';
import type { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

/** Waiting objects are woken when the cache is complete; this timer is for changes without an event. Milliseconds. */
const LOOKS_AGAIN = 30_000;
const LOOKS_AGAIN_SOON = 2_000;

/** A decision depends on an unknown object: no request is sent, no finalizer is removed. This is no failure; nothing was tried. */
export function waitForCache(observed: Observed, error: UnknownStateError): Decision {
  return finish({ ...observed, object: withCacheWait(observed.object, error, observed.now) }, cacheWait(error));
}

export function cacheWait({ unknown: { isMomentary } }: UnknownStateError): Result {
  return { kind: 'requeue', delay: isMomentary ? LOOKS_AGAIN_SOON : LOOKS_AGAIN, waits: true };
}

/** An object that is in sync keeps its condition: nothing is wrong with it, and others wait for it to be Ready. */
export function withCacheWait(object: KubernetesObject, error: UnknownStateError, now: number): KubernetesObject {
  const ready = readyOf(object);
  const isSettled = ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  // An answer that comes within moments needs no condition.
  if ((isSettled && !isDeleting) || error.unknown.isBeingRead) return object;
  const message = isDeleting ? `${DELETING_MESSAGE}, but waits: ${error.message}` : error.message;
  return withReady(object, { status: 'False', severity: 'Warning', reason: error.unknown.reason, message }, now);
}
