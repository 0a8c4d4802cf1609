import { ProviderLimits } from '../../../sandbox/azure/http/provider-limits';

const SUBSCRIPTION = '/subscriptions/S';
const GROUP = `${SUBSCRIPTION}/resourceGroups/rg/providers`;
const ACCOUNTS = `${GROUP}/Microsoft.Storage/storageAccounts`;
const VNETS = `${GROUP}/Microsoft.Network/virtualNetworks`;
const VMS = `${GROUP}/Microsoft.Compute/virtualMachines`;
const GRAPH = '/providers/Microsoft.ResourceGraph/resources';

function setUp(enforced = true, timeScale = 1) {
  let now = 0;
  const limits = new ProviderLimits({ now: () => now, sleep: async () => undefined }, timeScale, enforced);
  /** How many of so many were taken, and the last answer. */
  const many = (count: number, method: string, path: string, client = 'c') => {
    const answers = Array.from({ length: count }, () => limits.count(client, method, path));
    return { taken: answers.filter(({ refused }) => !refused).length, last: answers.at(-1)! };
  };
  return { limits, many, pass: (seconds: number) => (now += seconds * 1000) };
}

test.each([
  ['storage, reads', 'GET', `${ACCOUNTS}/a`, 800, 300],
  ['storage, reads of children', 'GET', `${ACCOUNTS}/a/blobServices/default/containers/c`, 800, 300],
  ['storage, lists', 'GET', `${ACCOUNTS}/a/blobServices/default/containers`, 100, 300],
  ['storage, lists of a subscription', 'GET', `${SUBSCRIPTION}/providers/Microsoft.Storage/storageAccounts`, 100, 300],
  ['storage, writes', 'PUT', `${ACCOUNTS}/a`, 10, 1],
  ['network, writes', 'PUT', `${VNETS}/v/subnets/s`, 1000, 300],
  ['network, deletes', 'DELETE', `${VNETS}/v`, 1000, 300],
  ['network, reads and lists', 'GET', VNETS, 10_000, 300],
  ['Resource Graph', 'POST', GRAPH, 15, 5],
])('%s: in spans that begin with the first request', (_, method, path, most, seconds) => {
  const { many, pass } = setUp();
  pass(1000);
  expect(many(most + 1, method, path).taken).toBe(most);
  pass(seconds - 0.5);
  expect(many(1, method, path).taken).toBe(0);
  pass(0.5);
  expect(many(most + 1, method, path).taken).toBe(most);
});

test('what counts together, and what apart', () => {
  const { many } = setUp();
  expect(many(101, 'GET', ACCOUNTS).taken).toBe(100);
  expect(many(1, 'GET', `${ACCOUNTS}/a/blobServices/default/containers`, 'other').taken).toBe(0);
  expect(many(1, 'GET', ACCOUNTS.replace('/S/', '/other/')).taken).toBe(1);
  expect(many(1, 'GET', `${ACCOUNTS}/a`).taken).toBe(1);
  expect(many(1, 'POST', `${ACCOUNTS}/a/listKeys`).taken).toBe(1);
  expect(many(999, 'PUT', `${VNETS}/v`).taken + many(5, 'DELETE', `${VNETS}/v`).taken).toBe(1000);
  for (const path of [
    '/subscriptions/S',
    '/subscriptions/S/resourceGroups',
    '/subscriptions/S/resourceGroups/rg',
    `${GROUP}/Microsoft.Other/things/t`,
  ]) {
    expect(many(2000, 'GET', path)).toMatchObject({ taken: 2000, last: { headers: {} } });
  }
});

test('storage takes 1,200 writes in an hour, however slowly they come', () => {
  const { many, pass } = setUp();
  let taken = 0;
  for (let second = 0; second < 130; second += 1) {
    taken += many(10, 'PUT', `${ACCOUNTS}/a`).taken;
    pass(1);
  }
  expect(taken).toBe(1200);
  expect(many(1, 'PUT', `${ACCOUNTS}/a`).last.refused).toMatchObject({ status: 429, headers: { 'Retry-After': String(3600 - 130) } });
});

test('each virtual machine has a bucket, and all of a subscription', () => {
  const { many, pass } = setUp();
  expect(many(13, 'PUT', `${VMS}/one`).taken).toBe(12);
  expect(many(1, 'PUT', `${VMS}/two`)).toMatchObject({
    taken: 1,
    last: {
      headers: { 'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/PutVMResource;11,Microsoft.Compute/PutVMSubscription;1487' },
    },
  });
  const { refused } = many(1, 'PUT', `${VMS}/one`).last;
  expect(refused).toMatchObject({
    headers: { 'Retry-After': '15' },
    body: { error: { code: 'OperationNotAllowed', details: [{ code: 'TooManyRequests', target: 'PutVMResource' }] } },
  });
  pass(15);
  expect(many(2, 'PUT', `${VMS}/one`).taken).toBe(1);
});

test('queries of Resource Graph: each user has a quota, and headers tell of it', () => {
  const { many, pass } = setUp();
  expect(many(1, 'POST', GRAPH).last.headers).toEqual({ 'x-ms-user-quota-remaining': '14', 'x-ms-user-quota-resets-after': '00:00:05' });
  pass(2);
  const { headers, refused } = many(15, 'POST', GRAPH).last;
  expect(headers).toEqual({ 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '00:00:03' });
  expect(refused).toEqual({
    status: 429,
    headers: {},
    body: { error: { code: 'RateLimiting', message: expect.stringContaining('throttled') } },
  });
  expect(many(1, 'POST', GRAPH, 'other').taken).toBe(1);
});

test('where time runs faster, spans are shorter; where limits are not enforced, nothing is refused', () => {
  const fast = setUp(true, 60);
  expect(fast.many(16, 'POST', GRAPH)).toMatchObject({ taken: 15, last: { headers: { 'x-ms-user-quota-resets-after': '00:00:00.084' } } });
  fast.pass(0.1);
  expect(fast.many(1, 'POST', GRAPH).taken).toBe(1);
  expect(setUp(false).many(500, 'GET', ACCOUNTS).taken).toBe(500);
});

test('what is left can be seen', () => {
  const { limits, many } = setUp();
  many(10, 'GET', ACCOUNTS);
  expect(limits.list()).toEqual([{ scope: 's', provider: 'microsoft.storage', limit: 'List_ObservationWindow_00:05:00', remaining: 90 }]);
});
