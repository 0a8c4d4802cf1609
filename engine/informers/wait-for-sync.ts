import type { ResourceInformer } from './resource-informer';
import type { Clock } from '../clock';

/** Interval in milliseconds at which the wait checks whether incomplete lists are refused. */
const LOOK_AT_LISTS = 250;

/**
 * Waits at most for the limit in milliseconds until no informer is late, except those whose list the server refuses. Rejects when the
 * signal aborts.
 */
export async function waitForSync(
  late: () => readonly Pick<ResourceInformer, 'synced' | 'isRefused'>[], limit: number, clock: Clock, signal: AbortSignal,
): Promise<void> {
  const waiting = new AbortController();
  const stop = () => waiting.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const began = clock.now();
  // An informer that ended before its first list (its kind is already gone) never syncs: waiting for it again would return at once.
  const ended = new Set<unknown>();
  const pending = () => late().filter((informer) => !informer.isRefused && !ended.has(informer));
  while (!waiting.signal.aborted && clock.now() - began < limit && pending().length > 0) {
    const synced = Promise.all(pending().map((informer) => informer.synced.catch(() => void ended.add(informer))));
    await Promise.race([synced, clock.sleep(Math.min(LOOK_AT_LISTS, limit), waiting.signal).catch(() => undefined)]);
  }
  signal.removeEventListener('abort', stop);
  stop();
  signal.throwIfAborted();
}
