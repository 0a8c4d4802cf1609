import { HOUR, LAG, MINUTE, Rig } from './rig';
import type { Verdict } from '../../../controller/drift-detection/baseline-store';

let rig: Rig;
const names = Array.from({ length: 5 }, (_, index) => `thing${index}`);
const sent = (method: string) => rig.requests.filter((request) => request.startsWith(method)).length;

/** All were made, and a sync has read each of them behind a row. */
async function settled(options: ConstructorParameters<typeof Rig> = []): Promise<void> {
  rig = new Rig(...options);
  names.forEach((name) => {
    rig.set(name, 0);
    rig.report(name, ['put', 'read', 'complete'], { value: 0 });
  });
  await rig.clock.advance(HOUR);
  expect(await rig.sync(names)).toBe(0);
  await rig.clock.advance(HOUR);
  rig.requests.length = 0;
}

test('after a read behind a row, one query is enough for all', async () => {
  await settled();
  expect(await rig.sync(names)).toBe(5);
  expect(rig.requests).toEqual(['POST rows']);
});

test('what has changed in Azure has a reconcile, and only that', async () => {
  await settled();
  rig.set('thing2', 7);
  await rig.clock.advance(LAG);
  expect(await rig.sync(names)).toBe(4);
  expect(rig.requests).toEqual(['POST rows', 'PUT thing2']);
  expect(rig.value('thing2')).toBe(0);
});

test('after a PUT rows count only when they cannot be older', async () => {
  await settled();
  rig.report('thing0', ['put', 'read', 'complete'], { value: 0 });
  await rig.clock.advance(LAG / 2);
  expect(await rig.confirms('thing0')).toBe(false);
  expect(rig.requests).toEqual([]);
});

test('a resource without a row is read, and is no less there for it', async () => {
  await settled();
  rig.intercept = () => ({ body: { data: [] } });
  expect(await rig.sync(names)).toBe(0);
  expect(sent('GET')).toBe(5);
});

test.each<[string, object, number]>([
  ['403', { status: 403, body: { error: { code: 'Forbidden', message: 'no' } } }, 60],
  ['404', { status: 404, body: {} }, 60],
  ['400', { status: 400, body: { error: { code: 'BadRequest', message: 'no such table' } } }, 60],
  ['429 with a wait', { status: 429, headers: { 'retry-after': '600' }, body: { error: { code: 'TooManyRequests', message: 'x' } } }, 10],
  ['500', { status: 500, body: {} }, 1],
  ['no answer', { status: 0 }, 1],
  ['an unreadable answer', { body: 'x' }, 1],
  ['an answer without rows', { body: { data: 3 } }, 1],
])('%s: all are read one by one, and it is tried again after %s', async (_, answer, minutes) => {
  await settled();
  rig.intercept = () => answer;
  expect(await rig.sync(names)).toBe(0);
  expect(sent('GET')).toBe(5);
  rig.intercept = () => undefined;
  rig.requests.length = 0;
  await rig.clock.advance((minutes - 0.5) * MINUTE);
  await rig.sync(names);
  expect(sent('POST')).toBe(0);
  await rig.clock.advance(MINUTE);
  await rig.sync(names);
  expect(sent('POST')).toBe(1);
});

test('pages are put together', async () => {
  await settled();
  const all = rig.intercept;
  rig.intercept = ({ body }) => {
    const { options } = body as { options: Record<string, unknown> };
    const row = (name: string) => ({ id: `/subscriptions/s/things/${name}`, properties: { value: 0 } });
    return options.$skipToken === 'more'
      ? { body: { data: names.slice(2).map(row) } }
      : { body: { data: names.slice(0, 2).map(row), $skipToken: 'more' } };
  };
  expect(await rig.sync(names)).toBe(5);
  expect(sent('POST')).toBe(2);
  rig.intercept = all;
});

test('a change in the cluster is the business of a reconcile, even when it comes while Azure is being asked', async () => {
  await settled();
  rig.changedInCluster.add('thing1');
  expect(await rig.confirms('thing1')).toBe(false);
  rig.intercept = () => {
    rig.changedInCluster.add('thing3');
    return undefined;
  };
  expect(await rig.confirms('thing3')).toBe(false);
});

test('each resource is read by itself once a day, not all at the same time', async () => {
  await settled();
  const reads: number[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    rig.requests.length = 0;
    await rig.sync(names);
    reads.push(sent('GET'));
    await rig.clock.advance(HOUR);
  }
  expect(reads.reduce((sum, count) => sum + count)).toBe(5);
  expect(Math.max(...reads)).toBeLessThan(5);
  expect(reads.slice(0, 15).every((count) => count === 0)).toBe(true);
});

test('a failure is forgotten with all that was known', async () => {
  await settled();
  rig.report('thing0', ['read'], {}, { kind: 'requeue' });
  expect(await rig.confirms('thing0')).toBe(false);
  expect(rig.requests).toEqual([]);
});

test('one answer is for all that are due within half a period', async () => {
  await settled();
  expect(await rig.confirms('thing0')).toBe(true);
  await rig.clock.advance(20 * MINUTE);
  expect(await rig.confirms('thing1')).toBe(true);
  expect(rig.requests).toEqual(['POST rows']);
  // The next look counts from the row on.
  expect(rig.detection.nextIn(rig.key('thing1'), HOUR)).toBeLessThan(41 * MINUTE);
  await rig.clock.advance(15 * MINUTE);
  expect(await rig.confirms('thing2')).toBe(true);
  expect(sent('POST')).toBe(2);
});

test('a state that comes and goes is learnt, but never that a resource has failed', async () => {
  await settled();
  let states = ['Updating', 'Succeeded'];
  rig.more = (name) => (name === 'thing0' ? { provisioningState: states[0] } : {});
  for (let hour = 0; hour < 8; hour += 1) {
    await rig.sync(names);
    states = [...states].reverse();
    await rig.clock.advance(HOUR);
  }
  expect(await rig.sync(names)).toBe(5);
  states = ['Failed'];
  await rig.clock.advance(HOUR);
  expect(await rig.sync(names)).toBe(4);
  await rig.clock.advance(HOUR);
  expect(await rig.sync(names)).toBe(4);
});

test('what changes in rows for no reason is learnt, and only that', async () => {
  await settled();
  let count = 0;
  rig.more = (name) => (name === 'thing0' ? { churn: count } : {});
  const confirmed: number[] = [];
  for (let hour = 0; hour < 6; hour += 1) {
    count += 1;
    confirmed.push(await rig.sync(names));
    await rig.clock.advance(HOUR);
  }
  expect(confirmed).toEqual([4, 4, 4, 5, 5, 5]);
  rig.set('thing0', 3);
  await rig.clock.advance(LAG);
  expect(await rig.sync(names)).toBe(4);
});

test('a question that hangs holds nobody up', async () => {
  await settled();
  let release: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const { send } = rig;
  rig.send = async (request) => {
    await hanging;
    return send.call(rig, request);
  };
  const answer = rig.detection.confirms(rig.key('thing0'));
  await rig.clock.advance(6_000);
  expect(await answer).toBe(false);
  release();
});

// A list is worth its request for several only, and of the others it shows one after the other that no reconcile of theirs runs.
test.each([
  ['a table', false, 5],
  ['a list', true, 4],
])('who found no room for a reconcile is asked for again, in %s', async (_, list, confirmed) => {
  await settled([list]);
  rig.intercept = () => ({ status: 500, body: {} });
  // None of their reconciles comes to an end.
  for (const name of names) expect(await rig.confirms(name)).toBe(false);
  rig.intercept = () => undefined;
  await rig.clock.advance(2 * MINUTE);
  expect(await rig.sync(names)).toBe(confirmed);
});

test('children are listed, where there are several', async () => {
  await settled([true]);
  expect(await rig.sync(names)).toBe(5);
  expect(rig.requests).toEqual(['GET list']);
  await rig.clock.advance(HOUR);
  rig.requests.length = 0;
  for (const name of names.slice(1)) rig.report(name, ['put'], {}, { kind: 'requeue' });
  expect(await rig.confirms('thing0')).toBe(false);
  expect(rig.requests).toEqual([]);
});

test('lists that go on and on are given up', async () => {
  await settled([true]);
  let path = '';
  rig.intercept = ({ url }) => ({ body: { value: [], nextLink: `https://arm.test${(path ||= url.split('?')[0]!)}?$skiptoken=more` } });
  expect(await rig.sync(names)).toBe(0);
  expect(sent('GET list')).toBe(20);
  await rig.clock.advance(10 * MINUTE);
  rig.requests.length = 0;
  await rig.sync(names);
  expect(sent('GET list')).toBe(0);
});

test('hundreds are asked for in batches', async () => {
  rig = new Rig();
  const many = Array.from({ length: 650 }, (_, index) => `many${index}`);
  many.forEach((name) => {
    rig.set(name, 0);
    rig.report(name, ['put', 'read'], { value: 0 });
  });
  await rig.clock.advance(HOUR);
  await rig.sync(many);
  await rig.clock.advance(HOUR);
  rig.requests.length = 0;
  expect(await rig.sync(many)).toBe(650);
  expect(rig.requests).toEqual(['POST rows', 'POST rows', 'POST rows']);
});

test('verdicts, requests and failures are reported', async () => {
  const verdicts: Verdict[] = [];
  const reported: unknown[] = [];
  await settled([false, {
    observer: {
      onVerdict: (verdict) => verdicts.push(verdict),
      onRequest: (...request) => reported.push(request),
      onFailure: ({ of }, subscriptionId, error, stays) => reported.push([of, subscriptionId, (error as Error).name, stays]),
    },
  }]);
  expect(verdicts).toEqual(names.map(() => 'noBaseline'));
  await rig.sync(names);
  expect(verdicts.slice(5)).toEqual(names.map(() => 'confirmed'));
  await rig.clock.advance(HOUR);
  rig.intercept = () => ({ status: 403, body: {} });
  await rig.sync(names);
  expect(reported).toEqual([['table', 5], ['table', 5], ['table', 's', 'ArmError', true]]);
});
