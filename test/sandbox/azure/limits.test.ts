import { RequestLimits } from '../../../sandbox/azure/http/limits';

const TENANT = 'tenant';
const GROUP = '/subscriptions/S/resourceGroups/rg';

function setUp(enforced = true, timeScale = 1) {
  let now = 0;
  const limits = new RequestLimits({ now: () => now, sleep: async () => undefined }, timeScale, enforced, TENANT);
  const many = (count: number, method = 'PUT', client = 'c') => Array.from({ length: count }, () => limits.count(client, method, GROUP));
  return { limits, many, pass: (seconds: number) => (now += seconds * 1000) };
}

test('answers tell what is left, of the principal and of all', () => {
  const { many, limits } = setUp();
  expect(many(1)[0]).toEqual({
    headers: { 'x-ms-ratelimit-remaining-subscription-writes': '199', 'x-ms-ratelimit-remaining-subscription-global-writes': '2999' },
  });
  expect(limits.count('c', 'GET', '/providers/x').headers).toMatchObject({ 'x-ms-ratelimit-remaining-tenant-reads': '249' });
  expect(many(1, 'PUT', 'other')[0]?.headers).toEqual({
    'x-ms-ratelimit-remaining-subscription-writes': '199',
    'x-ms-ratelimit-remaining-subscription-global-writes': '2998',
  });
});

test('what is too much is refused as Azure does, and only where limits are enforced', () => {
  const { many, pass } = setUp();
  expect(many(200).every(({ refused }) => refused === undefined)).toBe(true);
  const { refused, headers } = many(1)[0]!;
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '1' },
    body: { error: { code: 'SubscriptionRequestsThrottled' } },
  });
  expect(headers).toMatchObject({ 'x-ms-ratelimit-remaining-subscription-writes': '0' });
  expect(many(1, 'GET')[0]!.refused).toBeUndefined();
  pass(1);
  expect(many(11).map((answer) => answer.refused?.status)).toEqual([...Array(10).fill(undefined), 429]);
  expect(setUp(false).many(300).some((answer) => answer.refused)).toBe(false);
});

test('somebody else uses all up: nothing comes back for a while, also for who comes later', () => {
  const { limits, many, pass } = setUp(true, 60);
  many(1);
  limits.drain({ subscription: 's', operation: 'writes', seconds: 600 });
  expect(many(1)[0]?.refused).toMatchObject({ headers: { 'Retry-After': '11' } });
  expect(many(1, 'PUT', 'later')[0]!.refused).toBeDefined();
  expect(many(1, 'DELETE')[0]!.refused).toBeUndefined();
  pass(9);
  expect(many(1)[0]!.refused).toBeDefined();
  pass(2);
  expect(many(1)[0]!.refused).toBeUndefined();
  expect(limits.list().find(({ client, operation }) => client === 'c' && operation === 'writes')!.remaining).toBeGreaterThan(100);
  expect(() => limits.drain({ seconds: -1 })).toThrow('seconds is a number');
});
