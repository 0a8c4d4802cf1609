import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget, type BlockEvent } from '../../../controller/budget';
import { limitedTypeOf } from '../../../controller/budget/operation';
import type { ArmRequest } from '../../../engine/arm/types';

const ACCOUNTS = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts';
const CONTAINERS = `${ACCOUNTS}/a/blobServices/default/containers`;

describe('what a limit of a provider is about', () => {
  test.each<[ArmRequest['method'], string, string]>([
    ['GET', `${ACCOUNTS}/a`, 'microsoft.storage/storageaccounts'],
    ['PUT', `${CONTAINERS}/c?api-version=1`, 'microsoft.storage/storageaccounts/blobservices/containers'],
    [
      'GET',
      `https://management.azure.com${CONTAINERS}?api-version=1&$skipToken=/x`,
      'microsoft.storage/storageaccounts/blobservices/containers (list)',
    ],
    ['GET', '/subscriptions/s/providers/Microsoft.Storage/storageAccounts', 'microsoft.storage/storageaccounts (list)'],
    ['POST', `${ACCOUNTS}/a/listKeys`, 'microsoft.storage/storageaccounts/listkeys'],
    ['GET', `${ACCOUNTS}/a/providers/Microsoft.Authorization/roleAssignments/r`, 'microsoft.authorization/roleassignments'],
    [
      'GET',
      '/subscriptions/s/providers/Microsoft.Storage/locations/uksouth/asyncoperations/o',
      'microsoft.storage/locations/asyncoperations',
    ],
    ['POST', '/subscriptions/s/providers/Microsoft.Storage/register', 'microsoft.storage/register'],
    ['POST', '/providers/Microsoft.ResourceGraph/resources', 'microsoft.resourcegraph/resources'],
    ['PUT', '/subscriptions/s/resourceGroups/rg', 'microsoft.resources/resourcegroups'],
    ['GET', '/subscriptions/s/resourceGroups', 'microsoft.resources/resourcegroups (list)'],
    ['GET', '/subscriptions/s', 'microsoft.resources/subscriptions'],
  ])('%s %s: %s', (method, url, expected) => expect(limitedTypeOf({ method, url })).toBe(expected));
});

/** A provider that takes so many requests of a kind in each minute, and says how long the rest of the minute is. */
function environment(limits: Readonly<Record<string, number>>) {
  const time = new VirtualTime();
  const arm = new ModelArm(time);
  const blocks: BlockEvent[] = [];
  const budget = new Budget({ clock: time, onBlock: (event) => blocks.push(event) });
  const began = time.now();
  const counts = new Map<string, number>();
  const answers = new Map<ArmRequest, ReturnType<ModelArm['answer']>>();
  // The model asks more than once about a request.
  arm.answer = (request) => {
    if (!answers.has(request)) answers.set(request, answerTo(request));
    return answers.get(request);
  };
  const answerTo = (request: ArmRequest): ReturnType<ModelArm['answer']> => {
    const what = limitedTypeOf(request);
    const minute = Math.floor((time.now() - began) / 60_000);
    const key = `${what} ${minute}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (counts.get(key)! <= (limits[what] ?? Infinity)) return undefined;
    const left = Math.ceil(((minute + 1) * 60_000 + began - time.now()) / 1000);
    const message = 'The request is being throttled as the limit has been reached for operation type - List_ObservationWindow_00:01:00.';
    return { status: 429, headers: { 'retry-after': String(left) }, body: { error: { code: 'TooManyRequests', message } } };
  };
  const client = budget.clientFor(
    { client: arm.client('p'), tenantId: 't', clientId: 'p', source: 'a/b' },
    { namespace: 'a', priority: 'fresh' },
  );
  const refused = () => arm.received.filter(({ status }) => status === 429);
  return { time, arm, blocks, client, began, refused };
}

test('a list that is refused closes lists of the type, and neither reads of one nor of its parent', async () => {
  const { time, client, refused, blocks, began } = environment({ 'microsoft.storage/storageaccounts/blobservices/containers (list)': 1 });
  const done: string[] = [];
  const send = (name: string, request: ArmRequest) => void client.send(request).then(() => done.push(name));
  send('list', { method: 'GET', url: CONTAINERS });
  send('refused list', { method: 'GET', url: CONTAINERS });
  await time.run(began + 1_000);
  expect(refused()).toHaveLength(1);
  send('next list', { method: 'GET', url: CONTAINERS });
  send('read', { method: 'GET', url: `${CONTAINERS}/c` });
  send('read of the parent', { method: 'GET', url: `${ACCOUNTS}/a/blobServices/default` });
  await time.run(began + 30_000);
  expect(done).toEqual(['list', 'refused list', 'read', 'read of the parent']);
  await time.run();
  expect(done).toHaveLength(5);
  expect(refused()).toHaveLength(1);
  expect(blocks).toEqual([
    expect.objectContaining({
      event: 'begins',
      of: 'type',
      type: 'microsoft.storage/storageaccounts/blobservices/containers (list)',
      code: 'TooManyRequests',
    }),
    expect.objectContaining({ event: 'ends', of: 'type', type: 'microsoft.storage/storageaccounts/blobservices/containers (list)' }),
  ]);
});

test('keys that are refused do not stop writes of the resource', async () => {
  const { time, client, began } = environment({ 'microsoft.storage/storageaccounts/listkeys': 0 });
  let written = false;
  void client.send({ method: 'POST', url: `${ACCOUNTS}/a/listKeys` });
  await time.run(began + 1_000);
  void client.send({ method: 'PUT', url: `${ACCOUNTS}/b` }).then(() => (written = true));
  await time.run(began + 2_000);
  expect(written).toBe(true);
});

test('what is too much is met by fewer in each window, and the windows are used up', async () => {
  const { time, client, refused, began } = environment({ 'microsoft.network/virtualnetworks/subnets': 100 });
  const put = (index: number) =>
    client.send({
      method: 'PUT',
      url: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n${index}`,
    });
  const untilTaken = async (index: number): Promise<void> => {
    if ((await put(index)).status === 429) await untilTaken(index);
  };
  let end = Infinity;
  void Promise.all(Array.from({ length: 600 }, (_, index) => untilTaken(index))).then(() => (end = time.now()));
  await time.run(began + 1_200_000);
  const inMinute = (minute: number) => refused().filter(({ at }) => Math.floor((at - began) / 60_000) === minute).length;
  // Two hundred went out before anybody knew, of which half came too late.
  expect(inMinute(0)).toBeGreaterThanOrEqual(100);
  expect([1, 2, 3, 4].map(inMinute).every((count) => count <= 40)).toBe(true);
  expect(inMinute(4)).toBeLessThan(20);
  expect(end - began).toBeLessThan(400_000);
});

test('what was met long ago holds nothing back', async () => {
  const limits: Record<string, number> = { 'microsoft.storage/storageaccounts': 1 };
  const { time, client, arm } = environment(limits);
  const get = () => client.send({ method: 'GET', url: `${ACCOUNTS}/a` });
  void get();
  void get();
  await time.run(time.now() + 120_000);
  limits['microsoft.storage/storageaccounts'] = Infinity;
  const burst = async (): Promise<number> => {
    const [before, now] = [arm.received.length, time.now()];
    for (let i = 0; i < 40; i += 1) void get();
    await time.run(now);
    const atOnce = arm.received.length - before;
    await time.run(now + 10_000);
    return atOnce;
  };
  expect(await burst()).toBe(1);
  await time.run(time.now() + 600_000);
  await Promise.all([get(), time.run(time.now() + 1_000)]);
  expect(await burst()).toBe(40);
});
