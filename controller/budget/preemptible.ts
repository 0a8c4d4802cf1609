import { ThrottledError } from './throttled-error';

/**
 * Runs work that may be throttled. Its signal aborts with the outer signal and when the work is throttled; then the promise rejects with
 * ThrottledError, whatever the work itself returns or throws.
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
