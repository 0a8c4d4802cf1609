import { ABORT_MS } from './timing';
import type { ElectionTime } from '../leader';

/**
 * Lets a host prepare. When the time is over, the signal aborts, and the host has some seconds to end its work at once.
 * @returns rejects when the host rejects before
 */
export async function inBoundedTime(
  time: Pick<ElectionTime, 'sleep'>,
  limitMs: number,
  prepare: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const done = new AbortController();
  const late = async () => {
    await time.sleep(limitMs, done.signal);
    over.abort(new Error(`not prepared within ${limitMs / 1_000} s`));
    await time.sleep(ABORT_MS, done.signal);
  };
  const prepared = prepare(over.signal)
    .catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    })
    .finally(() => done.abort(new Error('prepared')));
  await Promise.race([prepared, late().catch(() => prepared)]);
}
