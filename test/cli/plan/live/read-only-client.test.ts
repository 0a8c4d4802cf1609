import { ReadOnlyClient, WriteRefused } from '../../../../cli/plan/live/read-only-client';
import { readingOf } from '../../../../cli/plan/live/reading';
import { ArmError, type ArmRequest, type ArmResponse } from '../../../../engine/arm/types';

const URL = '/subscriptions/s/resourceGroups/g';

/** A client over canned answers, in a time of its own. */
function clientOf(answers: readonly (Partial<ArmResponse> | ArmError)[]) {
  const sent: ArmRequest[] = [];
  const waits: number[] = [];
  let now = 0;
  const arm = {
    subscriptionId: 's',
    endpoint: 'https://arm',
    send: async (request: ArmRequest): Promise<ArmResponse> => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(request);
      if (answer instanceof ArmError) throw answer;
      return { status: 200, headers: {}, body: {}, text: '{}', ...answer };
    },
  };
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    now += milliseconds;
  };
  return { client: new ReadOnlyClient(arm, { now: () => now, sleep }), sent, waits };
}

const errorOf = (status: number, code: string): Partial<ArmResponse> => ({
  status,
  body: { error: { code, message: 'text' } },
  text: `{"error":{"code":"${code}"}}`,
});
const noAnswer = () => Object.assign(new ArmError('UnknownError', 'no answer'), { cause: new Error('ECONNREFUSED') });

test.each(['HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'] as const)('%s is never sent', async (method) => {
  const { client, sent } = clientOf([{}]);
  await expect(client.send({ method, url: URL })).rejects.toThrow(WriteRefused);
  expect(sent).toEqual([]);
});

test('a query of Azure Resource Graph is sent: it changes nothing', async () => {
  const { client, sent } = clientOf([{}]);
  await client.send({ method: 'POST', url: '/providers/Microsoft.ResourceGraph/resources', body: {} });
  await expect(client.send({ method: 'POST', url: `${URL}/providers/Microsoft.ResourceGraph/resources`, body: {} })).rejects.toThrow(/only reads/);
  expect(sent).toHaveLength(1);
});

test('Retry-After is honoured', async () => {
  const { client, sent, waits } = clientOf([{ status: 429, headers: { 'retry-after': '17' } }, {}, {}]);
  expect((await client.send({ method: 'GET', url: URL })).status).toBe(200);
  expect([waits, sent.length]).toEqual([[17_000], 2]);
});

test('while Azure asks one request to wait, no other is sent', async () => {
  const sleeping: (() => void)[] = [];
  const sent: string[] = [];
  let now = 0;
  const send = async ({ url }: ArmRequest): Promise<ArmResponse> => {
    sent.push(url);
    return { status: sent.length === 1 ? 429 : 200, headers: { 'retry-after': '17' }, body: {}, text: '{}' };
  };
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => sleeping.push(() => {
    now += milliseconds;
    resolve();
  }));
  const client = new ReadOnlyClient({ subscriptionId: 's', endpoint: 'https://arm', send }, { now: () => now, sleep });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const first = client.send({ method: 'GET', url: 'a' });
  await settled();
  const second = client.send({ method: 'GET', url: 'b' });
  await settled();
  expect([sent, sleeping.length]).toEqual([['a'], 2]);
  for (const wake of sleeping) wake();
  await Promise.all([first, second]);
  expect(sent).toEqual(['a', 'a', 'b']);
});

test('without Retry-After the waits grow, and end', async () => {
  const { client, sent, waits } = clientOf([{ status: 503 }]);
  expect((await client.send({ method: 'GET', url: URL })).status).toBe(503);
  expect([waits, sent.length]).toEqual([[1000, 2000, 4000, 8000], 5]);
});

test('nobody waits longer than a minute', async () => {
  const { client, waits } = clientOf([{ status: 429, headers: { 'retry-after': '600' } }]);
  expect((await client.send({ method: 'GET', url: URL })).status).toBe(429);
  expect(waits).toEqual([]);
});

test('a lost connection is tried again; a missing token is not', async () => {
  const lost = clientOf([noAnswer(), {}]);
  expect((await lost.client.send({ method: 'GET', url: URL })).status).toBe(200);
  const refused = clientOf([new ArmError('CredentialRejected', 'no')]);
  await expect(refused.client.send({ method: 'GET', url: URL })).rejects.toThrow('no');
  expect(refused.sent).toHaveLength(1);
});

test.each<[string, Partial<ArmResponse> | ArmError, object]>([
  ['a resource', { body: { id: URL } }, { kind: 'found', body: { id: URL } }],
  ['no resource', errorOf(404, 'ResourceNotFound'), { kind: 'absent' }],
  ['no resource group', errorOf(404, 'ResourceGroupNotFound'), { kind: 'absent' }],
  [
    'a 404 without a body',
    { status: 404, body: undefined, text: '' },
    { kind: 'unreadable', reason: expect.stringContaining('HTTP 404 with an empty body') },
  ],
  ['no such subscription', errorOf(404, 'SubscriptionNotFound'), { kind: 'unreadable', reason: 'SubscriptionNotFound: text' }],
  [
    'the 404 of a proxy',
    { status: 404, body: undefined, text: '<html>' },
    { kind: 'unreadable', reason: expect.stringContaining('HTTP 404') },
  ],
  [
    'a log-in page',
    { status: 200, body: undefined, text: '<html>' },
    { kind: 'unreadable', reason: expect.stringContaining('no answer of Azure') },
  ],
  [
    'no right',
    errorOf(403, 'AuthorizationFailed'),
    { kind: 'unreadable', reason: expect.stringMatching(/^AuthorizationFailed: text .*role Reader/) },
  ],
  ['no token', errorOf(401, 'InvalidAuthenticationToken'), { kind: 'unreadable', reason: 'InvalidAuthenticationToken: text' }],
  ['no answer', noAnswer(), { kind: 'unreadable', reason: 'UnknownError: no answer' }],
  [
    'a provider that is not registered',
    {
      status: 409,
      body: { error: { code: 'MissingSubscriptionRegistration', message: 'm', details: [{ target: 'Microsoft.Cache' }] } },
      text: '{}',
    },
    { kind: 'absent', note: expect.stringContaining('Microsoft.Cache') },
  ],
])('%s', async (_, answer, reading) => {
  expect(await readingOf(clientOf([answer]).client, URL, '2024-01-01')).toEqual(reading);
});
