import { isOurs } from './own-policy';
import { readAsApplied } from './read-object';
import type { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import { cacheWait, withCacheWait } from '../core/cache-wait';
import type { ReconcileEnd, ReconcileRequest } from '../object-reconcile';

/** Reconciles the object again when the cache of the unknown object's kind is complete. */
export function waitForUnknown(
  { key, options, state }: Pick<ReconcileRequest, 'key' | 'options' | 'state'>, error: UnknownStateError,
): void {
  state.cacheWaits.add(key, error.unknown);
  options.onUnknown?.(error, key);
}

/**
 * Ends a reconcile that needs an unknown object: nothing is changed until it is known. Sets the wait condition on the object, unless
 * another controller owns the object, or it is in sync.
 */
export async function waitForCache(request: ReconcileRequest, error: UnknownStateError): Promise<ReconcileEnd> {
  const { key, watched, options, state } = request;
  const stored = await readAsApplied(request, watched.store.get(key.namespace, key.name) ?? request.cached);
  const memory = state.memories.of(key, stored);
  waitForUnknown(request, error);
  const initialStatus = options.externals?.(key.group, key.kind)?.initialStatus;
  const begun = initialStatus ? { ...stored, status: { ...initialStatus, ...stored.status } } : stored;
  const wanted = withCacheWait(begun, error, options.clock.now());
  const isReported = wanted !== begun && isOurs(stored, options);
  const object = (isReported ? await state.writer.writeStatus(watched, stored, wanted) : undefined) ?? stored;
  return { result: cacheWait(error), object, actions: ['wait'], memory };
}
