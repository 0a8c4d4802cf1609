import { HeldBackError } from './held-back';

/**
 * Work that may be held back: it gets a signal that aborts with the outer one, and when it is held back. Rejects with HeldBackError then,
 * whatever the work makes of its end.
 */
export async function holdable<T>(outer: AbortSignal, work: (signal: AbortSignal, hold: (reason: HeldBackError) => void) => Promise<T>): Promise<T> {
  const inner = new AbortController();
  const stop = () => inner.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener('abort', stop, { once: true });
  try {
    return await work(inner.signal, (reason) => inner.abort(reason));
  } catch (error) {
    throw inner.signal.reason instanceof HeldBackError ? inner.signal.reason : error;
  } finally {
    outer.removeEventListener('abort', stop);
  }
}
