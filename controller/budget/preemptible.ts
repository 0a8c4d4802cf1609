import { ThrottledError } from './throttled-error';

/**
 * Work that may be throttled: it gets a signal that aborts with the outer one, and when it is throttled. Rejects with HeldBackError then,
 * whatever the work makes of its end.
 */
export async function preemptible<T>(
  outer: AbortSignal,
  work: (signal: AbortSignal, throttle: (reason: ThrottledError) => void) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const stop = () => inner.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener('abort', stop, { once: true });
  try {
    return await work(inner.signal, (reason) => inner.abort(reason));
  } catch (error) {
    throw inner.signal.reason instanceof ThrottledError ? inner.signal.reason : error;
  } finally {
    outer.removeEventListener('abort', stop);
  }
}
