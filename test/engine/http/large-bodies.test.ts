import { Readable } from 'node:stream';
import { boundedText, SMALL_BODY_BYTES } from '../../../engine/http/bounded-body';
import { LargeBodies } from '../../../engine/http/large-bodies';

/** Whether a promise is settled after all that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(() => (settled = true), () => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('as many bodies as there are places, the others in their order', async () => {
  const large = new LargeBodies(2);
  const [first, second] = [await large.enter('a'), await large.enter('a')];
  const [third, fourth] = [large.enter('a'), large.enter('b')];
  expect(await isSettled(third)).toBe(false);
  first();
  first();
  expect(await isSettled(third)).toBe(true);
  expect(await isSettled(fourth)).toBe(false);
  second();
  expect(await isSettled(fourth)).toBe(true);
});

test('a host has its places, and keeps others from no more', async () => {
  const large = new LargeBodies(3, 1);
  const first = await large.enter('slow');
  const waiting = large.enter('slow');
  const other = await large.enter('other');
  expect(await isSettled(waiting)).toBe(false);
  other();
  expect(await isSettled(waiting)).toBe(false);
  first();
  (await waiting)();
  await large.enter('slow');
});

test('an abort ends the wait, and its place goes to the next', async () => {
  const large = new LargeBodies(1);
  const leave = await large.enter('a');
  const controller = new AbortController();
  const aborted = large.enter('a', controller.signal);
  const next = large.enter('a');
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  leave();
  (await next)();
});

test('a small body needs no place, a large one gives its place back, whatever happens', async () => {
  const [enter, leave] = [jest.fn(), jest.fn()];
  enter.mockResolvedValue(leave);
  const body = (bytes: number) => Readable.from([Buffer.alloc(SMALL_BODY_BYTES), Buffer.alloc(bytes)]);
  const limits = { maxBytes: 2 * SMALL_BODY_BYTES, from: 'a test', enter };
  await boundedText(body(0), limits);
  expect(enter).not.toHaveBeenCalled();
  await boundedText(body(1), limits);
  await expect(boundedText(body(2 * SMALL_BODY_BYTES), limits)).rejects.toThrow('more than');
  const broken = Readable.from((async function* () {
    yield Buffer.alloc(SMALL_BODY_BYTES + 1);
    throw new Error('cut');
  })());
  await expect(boundedText(broken, limits)).rejects.toThrow('broke off');
  expect([enter.mock.calls.length, leave.mock.calls.length]).toEqual([2, 2]);
});
