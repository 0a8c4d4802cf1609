import { check, integer, property } from 'fast-check';
import type { Observed } from '../../../controller/reconcile/core/observed';
import { pollDelayMs as delayMs } from '../../../controller/reconcile/core/poll-delay';
import { WAITING } from '../../../src/azure/annotations';

const BEGUN = Date.parse('2026-01-01T12:00:00Z');

/** An object whose PUT creates its resource, and began so many milliseconds ago. */
function observed(elapsedMs: number, create?: number, timeScale = 1): Observed {
  const object = { metadata: { annotations: { [WAITING]: 'put 2026-01-01T12:00:00Z' } } };
  const traits = { timeScale, usualOperationMs: create === undefined ? {} : { create } };
  return { object, traits, now: BEGUN + elapsedMs } as unknown as Observed;
}

const pollDelayMs = (input: Observed, retryAfterSeconds: number | undefined, isNew: boolean) =>
  delayMs(input, 'put', retryAfterSeconds, isNew);

test('the first poll comes just after the usual end of the operation', () => {
  expect(pollDelayMs(observed(0, 68_000), 1, true)).toBe(69_360);
  expect(pollDelayMs(observed(0, 3_000), undefined, true)).toBe(3_500);
});

test('a poll that comes before, because the object was edited, is followed by one at the usual end', () => {
  expect(pollDelayMs(observed(60_000, 68_000), 1, false)).toBe(9_360);
});

test('later polls come each time that the operation has taken a tenth longer, after one to 15 seconds', () => {
  expect(pollDelayMs(observed(70_000, 68_000), undefined, false)).toBe(7_000);
  expect(pollDelayMs(observed(4_000, 3_000), undefined, false)).toBe(1_000);
  expect(pollDelayMs(observed(900_000, 68_000), undefined, false)).toBe(15_000);
});

test('an operation of unknown length is polled when Azure asks for it, else by the delays of the queue', () => {
  expect(pollDelayMs(observed(0), 5, true)).toBe(5_000);
  expect(pollDelayMs(observed(0), undefined, true)).toBeUndefined();
});

test('in a faster environment the times are as much shorter', () => {
  expect(pollDelayMs(observed(0, 6_800, 10), undefined, true)).toBe(6_936);
  expect(pollDelayMs(observed(10_000, 6_800, 10), undefined, false)).toBe(1_000);
});

test('no poll comes before the time that Azure asks for, nor at once', () => {
  const run = check(property(integer({ min: 0, max: 4_000_000 }), integer({ min: 1, max: 2_000_000 }), integer({ min: 0, max: 120 }),
    (elapsedMs, usualMs, seconds) => {
      const delay = pollDelayMs(observed(elapsedMs, usualMs), seconds === 0 ? undefined : seconds, false)!;
      return delay >= Math.max(seconds * 1000, 20) && delay <= Math.max(usualMs * 1.02 + 501 - elapsedMs, 15_000, seconds * 1000);
    }));
  expect(run.failed).toBe(false);
});

const TIMES = { create: 84_000, update: 26_000, delete: 528_000 };
const changed = (more: Partial<Observed>): Observed =>
  ({ ...observed(0), traits: { usualOperationMs: TIMES }, ...more }) as unknown as Observed;
const shown = { ...observed(0).object, status: { conditions: [], id: 'x', name: 'x' } };
const unseen = { ...observed(0).object, status: { conditions: [], id: 'x' } };

test('creation, update and deletion have times of their own', () => {
  expect(pollDelayMs(changed({ object: unseen }), undefined, true)).toBe(85_680);
  expect(pollDelayMs(changed({ object: shown }), undefined, true)).toBe(26_520);
  expect(delayMs(changed({ object: shown }), 'delete', undefined, true)).toBe(538_560);
});

test('a read of the same reconcile tells whether the PUT creates, whatever the status shows', () => {
  expect(pollDelayMs(changed({ object: shown, present: false }), undefined, true)).toBe(85_680);
  expect(pollDelayMs(changed({ object: unseen, present: true }), undefined, true)).toBe(26_520);
});

test('an update of unknown length is polled when a creation would have ended', () => {
  const input = changed({ object: shown, traits: { usualOperationMs: { create: 8_000 } } as unknown as Observed['traits'] });
  expect(pollDelayMs({ ...input, now: BEGUN + 7_000 }, undefined, false)).toBe(1_500);
});

test('an update of unknown length does not wait for as long as a creation takes', () => {
  const input = changed({ object: shown, traits: { usualOperationMs: { create: 740_000 } } as unknown as Observed['traits'] });
  expect(pollDelayMs(input, undefined, true)).toBe(1_000);
  expect(pollDelayMs({ ...input, now: BEGUN + 3_000 }, undefined, false)).toBe(4_000);
  expect(pollDelayMs({ ...input, now: BEGUN + 200_000 }, undefined, false)).toBe(15_000);
  expect(pollDelayMs(input, 17, true)).toBe(17_000);
});
