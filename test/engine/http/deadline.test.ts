import { DeadlineError, startDeadline } from '../../../engine/http/deadline';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

test.each([
  ['is cleared', (deadline: ReturnType<typeof startDeadline>) => deadline.clear()],
  ['ends with the signal around it, even if what it bounds ignores that', (_: unknown, outer: AbortController) => outer.abort(new Error('over'))],
])('a deadline that %s keeps no timer, and no process', (_, end) => {
  const before = timers();
  const outer = new AbortController();
  const deadline = startDeadline(60_000, 'answer', outer.signal);
  expect(timers()).toBe(before + 1);
  end(deadline, outer);
  expect(timers()).toBe(before);
});

test('a signal that was aborted before aborts at once, with its reason', async () => {
  const reason = new Error('over');
  const before = timers();
  const { signal, expired } = startDeadline(60_000, 'answer', AbortSignal.abort(reason));
  expect([signal.aborted, signal.reason, timers()]).toEqual([true, reason, before]);
  await expect(expired).rejects.toBe(reason);
});

test('a deadline says what has not come', async () => {
  const { signal, expired } = startDeadline(1, 'token');
  await expect(expired).rejects.toEqual(new DeadlineError('token', 1));
  expect(signal.reason).toEqual(new DeadlineError('token', 1));
});
