import { VirtualTime } from './virtual-time';
import { Budget } from '../../../controller/budget';
import type { ArmClient, ArmRequest, ArmResponse } from '../../../engine/arm/types';
import { RequestLimits } from '../../../sandbox/azure/http/limits';
import { ProviderLimits } from '../../../sandbox/azure/http/provider-limits';

const GROUP = '/subscriptions/s/resourceGroups/rg/providers';
const CONTAINERS = `${GROUP}/Microsoft.Storage/storageAccounts/a/blobServices/default/containers`;
const query: ArmRequest = { method: 'POST', url: '/providers/Microsoft.ResourceGraph/resources' };

/** The controller's budget against the limits of the simulator, both in virtual time. */
class TestEnvironment {
  public readonly time = new VirtualTime();
  public readonly sent: { readonly url: string; readonly at: number; readonly status: number }[] = [];
  private readonly began = this.time.now();
  private readonly arm = new RequestLimits(this.time, 1, true, 't');
  private readonly providers = new ProviderLimits(this.time, 1, true);
  private readonly client: ArmClient;
  private body: unknown;

  public constructor() {
    const budget = new Budget({ clock: this.time });
    const client: ArmClient = { subscriptionId: 's', endpoint: 'https://arm', send: (request) => this.answer(request) };
    this.client = budget.clientFor({ client, tenantId: 't', clientId: 'c', source: 'a/b' }, { namespace: 'a', priority: 'fresh' });
  }

  /** As the controller sends it: again as often as it is refused. Answers when it was taken, in seconds. */
  public async send(request: ArmRequest): Promise<number> {
    for (;;) {
      const { status } = await this.client.send(request);
      if (status !== 429) return (this.time.now() - this.began) / 1000;
    }
  }

  /** Another client with the same principal, outside of the budget. */
  public async answer(request: ArmRequest): Promise<ArmResponse> {
    const { status, headers } = this.count(request);
    this.sent.push({ url: request.url, at: this.time.now(), status });
    await this.time.sleep(100);
    return {
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      body: this.body,
      text: '',
    };
  }

  public get refused(): number {
    return this.sent.filter(({ status }) => status === 429).length;
  }

  public async all(requests: readonly ArmRequest[], seconds: number): Promise<number[]> {
    const times: number[] = [];
    requests.forEach((request, index) => void this.send(request).then((time) => (times[index] = time)));
    await this.time.run(this.began + seconds * 1000);
    return times;
  }

  private count({ method, url }: ArmRequest): { readonly status: number; readonly headers: Readonly<Record<string, string>> } {
    const path = url.split('?')[0];
    const first = this.arm.count('c', method, path!);
    const then = first.refused ? first : this.providers.count('c', method, path!);
    this.body = then.refused?.body ?? {};
    return { status: then.refused?.status ?? 200, headers: { ...first.headers, ...then.headers, ...then.refused?.headers } };
  }
}

const many = (count: number, requestOf: (index: number) => ArmRequest) => Array.from({ length: count }, (_, index) => requestOf(index));
const last = (times: readonly number[], count: number) => {
  expect(Object.keys(times)).toHaveLength(count);
  return Math.max(...times);
};

test('queries of Resource Graph keep to its quota: none is refused, and it is used', async () => {
  const environment = new TestEnvironment();
  expect(last(await environment.all(many(60, () => query), 120), 60)).toBeLessThan(32);
  expect(environment.refused).toBe(0);
});

test('queries of somebody else are seen by the quota that Azure tells', async () => {
  const environment = new TestEnvironment();
  let stop = false;
  const other = async (): Promise<void> => {
    while (!stop) {
      await environment.answer(query);
      await environment.time.sleep(400);
    }
  };
  void other();
  const times = await environment.all(many(40, () => query), 120);
  stop = true;
  expect(last(times, 40)).toBeLessThan(60);
  expect(environment.refused).toBeGreaterThan(0);
  expect(environment.refused).toBeLessThan(30);
});

test('writes of storage keep to what is documented: none is refused, it is used, and others are not held up', async () => {
  const environment = new TestEnvironment();
  const storage = many(150, (index) => ({ method: index % 2 ? 'PUT' as const : 'PATCH' as const, url: `${CONTAINERS}/c${index}` }));
  const accounts = many(150, (index) => ({ method: 'PUT', url: `${GROUP}/Microsoft.Storage/storageAccounts/a${index}` }));
  const network = many(50, (index) => ({ method: 'PUT', url: `${GROUP}/Microsoft.Network/virtualNetworks/v/subnets/s${index}` }));
  const times = await environment.all([...storage, ...accounts, ...network], 300);
  expect(last(times, 350)).toBeLessThan(45);
  expect(Math.max(...times.slice(300))).toBeLessThan(1);
  expect(environment.refused).toBe(0);
});

test('where somebody else writes to storage, too, what is refused is little, and all is written', async () => {
  const environment = new TestEnvironment();
  let stop = false;
  const other = async (): Promise<void> => {
    for (let index = 0; !stop; index += 1) {
      await environment.answer({ method: 'PUT', url: `${CONTAINERS}/o${index}` });
      await environment.time.sleep(100);
    }
  };
  void other();
  const times = await environment.all(many(100, (index) => ({ method: 'PUT', url: `${CONTAINERS}/c${index}` })), 200);
  stop = true;
  expect(last(times, 100)).toBeLessThan(100);
  expect(environment.refused).toBeLessThan(150);
});

test('lists that storage refuses for minutes hold up no read of one resource', async () => {
  const environment = new TestEnvironment();
  const lists = many(110, () => ({ method: 'GET', url: CONTAINERS }));
  const times = await environment.all([...lists, ...many(100, (index) => ({ method: 'GET', url: `${CONTAINERS}/c${index}` }))], 600);
  expect(last(times.slice(0, 110), 110)).toBeGreaterThan(300);
  expect(Math.max(...times.slice(0, 110))).toBeLessThan(360);
  expect(Math.max(...times.slice(110))).toBeLessThan(5);
  expect(environment.refused).toBeLessThan(12);
});
