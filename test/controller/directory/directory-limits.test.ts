import { DirectoryLimits } from '../../../controller/directory';
import { Groups } from '../../../controller/directory/graph';
import type { ArmClient, ArmResponse } from '../../../engine/arm/types';
import { FROM, secret, setUp, SUBSCRIPTIONS } from '../../engine/credentials/resolver';
import { VirtualTime } from '../budget/virtual-time';

const principal = { tenantId: 't', clientId: 'c' };

/** Microsoft Graph with the answers of the test. */
class TestEnvironment {
  public readonly time = new VirtualTime();
  public readonly limits = new DirectoryLimits(this.time);
  /** How many requests Graph has seen. */
  public sent = 0;
  public answer: () => Partial<ArmResponse> = () => ({ status: 200 });

  public client(of = principal, endpoint = 'https://graph'): ArmClient {
    const send = async (): Promise<ArmResponse> => {
      this.sent += 1;
      const { status = 200, headers = {} } = this.answer();
      await this.time.sleep(100);
      if (status === 0) throw new Error('no answer');
      return { status, headers, body: {}, text: '' };
    };
    return this.limits.clientFor({ subscriptionId: 's', endpoint, send }, of);
  }

  /** Answers the statuses of so many requests at once. */
  public async many(count: number, client = this.client()): Promise<number[]> {
    const all = Promise.all(
      Array.from({ length: count }, () =>
        client.send({ method: 'GET', url: '/v1.0/groups/g' }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    await this.time.run(this.time.now() + 200);
    return all;
  }

  public pass(seconds: number): Promise<void> {
    return this.time.run(this.time.now() + seconds * 1000);
  }
}

const refusal =
  (retryAfter?: number, status = 429) =>
    () => ({ status, headers: retryAfter === undefined ? {} : ({ 'retry-after': String(retryAfter) } as Record<string, string>) });

test('after a refusal nothing of the application is sent until Graph takes requests again, and the wait is reported', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal(30);
  expect(await environment.many(1)).toEqual([429]);
  environment.answer = () => ({ status: 200 });
  await environment.pass(20);
  const response = await environment.client().send({ method: 'GET', url: '/v1.0/groups/g' });
  expect(response).toMatchObject({ status: 429, body: { error: { code: 'TooManyRequests' } } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(10);
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(14);
  expect(environment.sent).toBe(1);
  await environment.pass(13);
  expect(await environment.many(1)).toEqual([200]);
});

test('other applications, tenants and clouds are asked', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal(30);
  await environment.many(1);
  environment.answer = () => ({ status: 200 });
  expect(await environment.many(1, environment.client({ ...principal, clientId: 'other' }))).toEqual([200]);
  expect(await environment.many(1, environment.client({ ...principal, tenantId: 'other' }))).toEqual([200]);
  expect(await environment.many(1, environment.client(principal, 'https://graph.us'))).toEqual([200]);
  expect(await environment.many(1, environment.client({ tenantId: 'T', clientId: 'C' }))).toEqual([429]);
});

test('one goes ahead, and more and more follow', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal(10);
  await environment.many(5);
  await environment.pass(12);
  environment.answer = () => ({ status: 200 });
  const taken = async () => (await environment.many(20)).filter((status) => status === 200).length;
  expect([await taken(), await taken(), await taken(), await taken()]).toEqual([1, 2, 4, 8]);
});

test('several that are refused at once do not make the wait longer; without Retry-After it grows', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal();
  await environment.many(5);
  await environment.pass(5.6);
  expect(await environment.many(1)).toEqual([429]);
  expect(environment.sent).toBe(6);
  await environment.pass(5.6);
  await environment.many(1);
  expect(environment.sent).toBe(6);
  await environment.pass(5.6);
  await environment.many(1);
  expect(environment.sent).toBe(7);
});

test('who goes ahead and hears nothing lets another one go; 503 counts where Graph says how long', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal(10, 503);
  expect(await environment.many(1)).toEqual([503]);
  await environment.pass(12);
  environment.answer = () => ({ status: 0 });
  expect(await environment.many(1)).toEqual([0]);
  environment.answer = () => ({ status: 200 });
  expect(await environment.many(1)).toEqual([200]);
  environment.answer = refusal(undefined, 503);
  expect(await environment.many(2)).toEqual([503, 503]);
});

test('an object that was not asked for gets an error with the time to wait', async () => {
  const environment = new TestEnvironment();
  environment.answer = refusal(60);
  await environment.many(1);
  const groups = new Groups(environment.client(), new AbortController().signal);
  await expect(groups.get('00000000-0000-0000-0000-000000000001')).rejects.toMatchObject({
    name: 'ArmError',
    status: 429,
    code: 'TooManyRequests',
    retryAfterSeconds: expect.any(Number),
  });
  await expect(groups.named('g')).rejects.toMatchObject({ status: 429 });
});

test('clients of Graph are made to wait, those of Azure Resource Manager are not', async () => {
  const limited: unknown[] = [];
  const { resolver, clients } = setUp({}, undefined, {
    limitGraph: (client, of) => {
      limited.push([client.endpoint, of]);
      return { ...client, subscriptionId: 'limited' };
    },
  });
  const { client, graph, tenantId, clientId } = resolver.global!;
  expect(limited).toEqual([]);
  expect([graph!().subscriptionId, graph!()]).toEqual(['limited', graph!()]);
  expect(client.subscriptionId).not.toBe('limited');
  expect(limited).toEqual([['https://graph.microsoft.com', { tenantId, clientId }]]);
  expect(clients.map(({ endpoint }) => endpoint)).toContain('https://graph.microsoft.com');
});

test('credentials that name no client id, since a file has it, do not wait for each other', () => {
  const ofFile = (name: string) => secret({
    AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[0],
    AZURE_TENANT_ID: 't',
    AZURE_CLIENT_ID: '',
    AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: `/mnt/${name}.json`,
  });
  const limited: unknown[] = [];
  const { resolve } = setUp({ 'ns/one': ofFile('one'), 'ns/other': ofFile('other') }, undefined, {
    limitGraph: (client, of) => {
      limited.push(of);
      return client;
    },
  });
  for (const name of ['one', 'other']) resolve({ [FROM]: name }).graph!();
  expect(limited).toEqual([{ tenantId: 't', clientId: 'ns/one' }, { tenantId: 't', clientId: 'ns/other' }]);
});
