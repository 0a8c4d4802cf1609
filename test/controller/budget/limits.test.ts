import { Block } from '../../../controller/budget/block';
import { Bucket } from '../../../controller/budget/bucket';
import { Limit } from '../../../controller/budget/limit';
import { operationOf, scopeOf } from '../../../controller/budget/operation';
import { queryQuotaOf, remainingOf, throttlingOf } from '../../../controller/budget/throttling';

const SUBSCRIPTION = { level: 'subscription', id: 's' } as const;

function answer(status: number, code: string, message = '', headers: Record<string, string> = {}) {
  return { status, headers, body: { error: { code, message } }, text: '' };
}

describe('what Azure counts together', () => {
  test.each([
    ['GET', 'reads'],
    ['HEAD', 'reads'],
    ['PUT', 'writes'],
    ['PATCH', 'writes'],
    ['POST', 'writes'],
    ['DELETE', 'deletes'],
  ] as const)('%s: %s', (method, operation) => {
    expect(operationOf(method)).toBe(operation);
  });

  test.each([
    ['/subscriptions/ABC/resourceGroups/rg', 'subscription abc'],
    ['/subscriptions/abc?api-version=1', 'subscription abc'],
    ['https://westeurope.management.azure.com/subscriptions/Abc/providers/x', 'subscription abc'],
    ['/providers/Microsoft.Management/managementGroups/g', 'tenant t'],
    ['/tenants', 'tenant t'],
    ['https://management.azure.com', 'tenant t'],
  ])('%s: %s', (url, expected) => {
    const { level, id } = scopeOf(url, 'T');
    expect(`${level} ${id}`).toBe(expected);
  });
});

describe('bucket', () => {
  test('is full, is emptied, and fills evenly up to its size', () => {
    const bucket = new Bucket({ size: 2, refillPerSecond: 4 }, 0);
    bucket.take(0);
    bucket.take(0);
    expect(bucket.level(0)).toBe(0);
    expect(bucket.timeUntil(0, 1)).toBe(250);
    expect(bucket.level(250)).toBe(1);
    expect(bucket.level(60_000)).toBe(2);
    expect(bucket.timeUntil(60_000, 3)).toBe(Infinity);
  });

  test('is only ever made emptier by what is said of it', () => {
    const bucket = new Bucket({ size: 200, refillPerSecond: 10 }, 0);
    bucket.clamp(0, 11_999);
    expect(bucket.level(0)).toBe(200);
    bucket.clamp(0, 5);
    bucket.clamp(0, 100);
    expect(bucket.level(0)).toBe(5);
    bucket.clamp(0, -3);
    expect(bucket.level(0)).toBe(0);
  });

  test('a clock that is set back gives nothing and takes nothing', () => {
    const bucket = new Bucket({ size: 10, refillPerSecond: 1 }, 100_000);
    bucket.clamp(100_000, 0);
    expect(bucket.level(40_000)).toBe(0);
    expect(bucket.level(42_000)).toBe(2);
  });
});

describe('what is left according to an answer', () => {
  test('requests that were sent after it are taken off, and what has come back since counts', () => {
    const limit = new Limit({ size: 200, refillPerSecond: 10 }, 0);
    const [first, second, third] = [limit.issue(0), limit.issue(0), limit.issue(0)];
    limit.observe(first, 50, 0);
    expect(limit.bucket!.level(0)).toBe(48);
    // It may have been on its way for 200 ms.
    limit.observe(third, 40, 1000);
    expect(limit.bucket!.level(1000)).toBe(48);
    // Of requests of one moment, Azure may have counted any last.
    limit.observe(second, 3, 1000);
    expect(limit.bucket!.level(1000)).toBe(11);
    const late = limit.issue(2000);
    const newest = limit.issue(2201);
    limit.observe(newest, 100, 2201);
    const before = limit.bucket!.level(2201);
    // Older than what is known.
    limit.observe(late, 0, 2201);
    expect(limit.bucket!.level(2201)).toBe(before);
  });

  test.each([
    [{}, {}],
    [{ 'x-ms-ratelimit-remaining-subscription-writes': 'many', 'x-ms-ratelimit-remaining-subscription-global-writes': '-1' }, {}],
    [
      { 'x-ms-ratelimit-remaining-subscription-writes': '199', 'x-ms-ratelimit-remaining-subscription-global-writes': '2999' },
      { principal: 199, scope: 2999 },
    ],
    [{ 'x-ms-ratelimit-remaining-subscription-reads': '3', 'x-ms-ratelimit-remaining-tenant-writes': '4' }, {}],
  ] as [Record<string, string>, object][])('%j', (headers, expected) =>
    expect(remainingOf(headers, SUBSCRIPTION, 'writes')).toEqual(expected),
  );

  test('of Resource Graph', () => {
    expect(queryQuotaOf({ 'x-ms-user-quota-remaining': '10', 'x-ms-user-quota-resets-after': '00:00:03' })).toEqual({
      remaining: 10,
      resetsAfter: 3000,
    });
    expect(queryQuotaOf({ 'x-ms-user-quota-remaining': '10' })).toBeUndefined();
    expect(queryQuotaOf({ 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '99:00:00' })).toEqual({
      remaining: 0,
      resetsAfter: 300_000,
    });
  });
});

describe('whose limit a refusal has met', () => {
  const byActor = "Number of 'write' requests for subscription 's' actor 'a' exceeded. Please try again after '17' seconds.";
  const backend = "Number of requests for subscription 's' and operation 'POST/SUBSCRIPTIONS/START' exceeded the backend storage limit. Please try again after '6' seconds.";
  const cdn = "Number of requests for action 'Microsoft.Cdn/profiles/read' exceeded the limit of '50' for time interval '00:05:00'. Please try again after '372' seconds.";
  test.each([
    [
      'the principal',
      answer(429, 'SubscriptionRequestsThrottled', byActor),
      { by: 'principal', code: 'SubscriptionRequestsThrottled', milliseconds: 17_000 },
    ],
    [
      'Retry-After before the text',
      answer(429, 'SubscriptionRequestsThrottled', byActor, { 'retry-after': '3' }),
      { by: 'principal', milliseconds: 3000 },
    ],
    ['a tenant', answer(429, 'TenantRequestsThrottled'), { by: 'principal' }],
    ['nothing is left', answer(429, 'TooManyRequests', '', { 'x-ms-ratelimit-remaining-subscription-writes': '0' }), { by: 'principal' }],
    [
      'nothing is left for anybody',
      answer(429, 'TooManyRequests', '', { 'x-ms-ratelimit-remaining-subscription-global-writes': '0' }),
      { by: 'scope' },
    ],
    ['one operation', answer(429, 'SubscriptionRequestsThrottled', backend), { by: 'provider', milliseconds: 6000 }],
    ['one provider, reported by ARM', answer(429, 'ResourceRequestsThrottled', cdn), { by: 'provider', milliseconds: 372_000 }],
    [
      'one provider, reported by itself',
      answer(429, 'OperationNotAllowed', 'too many requests', {
        'retry-after': '30',
        'x-ms-ratelimit-remaining-subscription-writes': '150',
      }),
      { by: 'provider', milliseconds: 30_000 },
    ],
    ['a busy server of a provider', answer(503, 'ServerBusy'), { by: 'provider' }],
    ['no body', { status: 429, headers: {}, body: undefined, text: '' }, { by: 'provider', code: '429' }],
  ])('%s', (_, response, expected) => expect(throttlingOf(response, SUBSCRIPTION, 'writes')).toMatchObject(expected));

  test.each([
    ['a resource that is busy', answer(429, 'RetryableErrorDueToAnotherOperation', '', { 'retry-after': '10' })],
    ['an operation that runs', answer(429, 'AnotherOperationInProgress')],
    ['a service that is down', answer(503, 'ServiceUnavailable', '', { 'retry-after': '10' })],
    ['a conflict', answer(409, 'Conflict')],
    ['a success', { status: 200, headers: { 'retry-after': '5' }, body: {}, text: '' }],
  ])('%s is no limit', (_, response) => expect(throttlingOf(response, SUBSCRIPTION, 'writes')).toBeUndefined());
});

describe('block', () => {
  test('lasts as long as Azure says, then one goes ahead', () => {
    const block = new Block();
    expect(block.refuse(0, 10_000, 0)).toBe(true);
    expect(block.refuse(0, 5_000, 0)).toBe(false);
    expect([block.allows(9_999), block.allows(10_000)]).toEqual([false, true]);
    expect(block.begin(19_000)).toBe(true);
    expect(block.allows(20_000)).toBe(false);
    expect(block.open(20_000)).toBe(true);
    expect([block.allows(20_000), block.begin(20_000), block.blockedFor(30_000)]).toEqual([true, false, 20_000]);
  });

  test('goes on when the one ahead is refused, and another goes when it has no answer', () => {
    const block = new Block();
    block.refuse(0, 1_000, 0);
    block.begin(1_000);
    block.again(1_000);
    expect(block.allows(1_000)).toBe(true);
    block.begin(1_000);
    expect(block.refuse(2_000, 1_000, 0)).toBe(false);
    expect([block.allows(2_999), block.allows(3_000)]).toEqual([false, true]);
  });

  test('a probe that hangs keeps the others waiting for two seconds', () => {
    const block = new Block();
    block.refuse(0, 1_000, 0);
    expect(block.begin(1_000)).toBe(true);
    expect([block.allows(2_999), block.allows(3_000)]).toEqual([false, true]);
    expect(block.begin(3_000)).toBe(true);
    expect([block.allows(4_999), block.open(4_000), block.isOpen]).toEqual([false, true, true]);
  });

  test('without a time it doubles with each refusal of the one ahead, not with those that were under way', () => {
    const block = new Block();
    const waits = [0, 1, 2, 3, 4, 5].map(() => {
      block.refuse(0, undefined, 0);
      block.refuse(0, undefined, 0);
      const wait = block.remaining(0);
      block.begin(0);
      return wait;
    });
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('is spread by chance, and not made longer by a clock that is set back', () => {
    const block = new Block();
    block.refuse(1_000_000, 20_000, 0.5);
    expect(block.remaining(1_000_000)).toBe(21_000);
    expect(block.remaining(0)).toBe(21_000);
    expect(block.remaining(21_000)).toBe(0);
  });
});
