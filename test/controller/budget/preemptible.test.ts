import { ThrottledError, preemptible } from '../../../controller/budget';

const REASON = new ThrottledError('writes of the subscription s', 1000);

test('work that is throttled ends by its signal, with the reason, whatever it makes of it', async () => {
  const work = preemptible(new AbortController().signal, async (signal, hold) => {
    hold(REASON);
    expect(signal.aborted).toBe(true);
    throw new Error('something else');
  });
  await expect(work).rejects.toBe(REASON);
});

test('an end that came from outside stays one, and other errors stay themselves', async () => {
  const outer = new AbortController();
  const work = preemptible(
    outer.signal,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  outer.abort(new Error('the end'));
  await expect(work).rejects.toThrow('the end');
  await expect(preemptible(outer.signal, async (signal) => signal.throwIfAborted())).rejects.toThrow('the end');
  await expect(preemptible(new AbortController().signal, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  await expect(preemptible(new AbortController().signal, async () => 5)).resolves.toBe(5);
});
