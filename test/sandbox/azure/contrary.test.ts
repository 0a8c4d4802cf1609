import { Azure, GROUP } from './client';
import { Contrary } from '../../../sandbox/azure/contrary/contrary';
import { NORMALISATIONS } from '../../../sandbox/azure/contrary/normalisations';
import { WAYS } from '../../../sandbox/azure/contrary/ways';

const VNET = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
const SEEDS = Array.from({ length: 40 }, (_, index) => String(index));

/** The first seed for which the answers of a way differ from those without it. */
async function withWay<T>(way: string, run: (azure: Azure) => Promise<T>, differs: (value: T) => boolean): Promise<T> {
  for (const seed of SEEDS) {
    const azure = await Azure.start({ contrary: `${seed}:${way}` });
    try {
      await azure.group();
      const value = await run(azure);
      if (differs(value)) return value;
    } finally {
      await azure.close();
    }
  }
  throw new Error(`no seed answers in the way ${way}`);
}

test('a seed is repeatable, and has some of the ways', () => {
  for (const seed of SEEDS) {
    const [one, other] = [new Contrary(seed), new Contrary(seed)];
    expect(one.text).toBe(other.text);
    for (const { name } of WAYS) expect(one.does(name, 'id')).toBe(other.does(name, 'id'));
  }
  expect(new Set(SEEDS.flatMap((seed) => new Contrary(seed).ways))).toEqual(new Set(WAYS.map(({ name }) => name)));
  expect(new Set(SEEDS.map((seed) => new Contrary(seed).ways.join())).size).toBeGreaterThan(30);
});

test('a seed may name its ways', () => {
  expect(new Contrary('7:ids,regions').ways).toEqual(['regions', 'ids']);
  expect(() => new Contrary('7:colours')).toThrow('there is no way \'colours\'; the ways are regions, ids,');
});

test('every way and normalisation has evidence', () => {
  for (const { evidence } of [...WAYS, ...NORMALISATIONS]) expect(evidence).toMatch(/^recorded traffic|https:\/\/(github\.com|learn\.microsoft\.com)\//);
});

test('regions are displayed', async () => {
  const region = await withWay('regions', async (azure) => {
    await azure.put(VNET, { location: 'westus2' });
    return (await azure.get(VNET)).body.location;
  }, (location) => location !== 'westus2');
  expect(region).toBe('West US 2');
});

test('ids are spelled otherwise, and lead to the same resource', async () => {
  const id = await withWay('ids', async (azure) => {
    await azure.put(VNET, { location: 'uksouth' });
    const told = (await azure.get(VNET)).body.id as string;
    expect((await azure.get(told)).status).toBe(200);
    return told;
  }, (told) => told !== VNET);
  expect(id.toLowerCase()).toBe(VNET.toLowerCase());
});

test('lists of named items come in another order', async () => {
  const subnets = ['a', 'b', 'c'].map((name, index) => ({ name, properties: { addressPrefix: `10.0.${index}.0/24` } }));
  const names = await withWay('order', async (azure) => {
    await azure.put(VNET, { location: 'uksouth', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets } });
    return ((await azure.get(VNET)).body.properties.subnets as { name: string }[]).map(({ name }) => name);
  }, (list) => list.join() !== 'a,b,c');
  expect([...names].sort()).toEqual(['a', 'b', 'c']);
});

test('what was recorded is added, and nothing that was sent is changed', async () => {
  const id = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus`;
  const sent = { location: 'uksouth', sku: { name: 'Standard' }, properties: { zoneRedundant: true } };
  const body = await withWay('additions', async (azure) => {
    await azure.put(id, sent);
    return (await azure.get(id)).body;
  }, ({ properties }) => properties.disableLocalAuth !== undefined);
  expect(body).toMatchObject(sent);
});

test('a new resource is not found for a while, and then it is', async () => {
  const seen = await withWay('late', async (azure) => {
    await azure.put(VNET, { location: 'uksouth' });
    const first = (await azure.get(VNET)).status;
    azure.clock.advance(60);
    return [first, (await azure.get(VNET)).status];
  }, ([first]) => first === 404);
  expect(seen).toEqual([404, 200]);
});

test('lists come late', async () => {
  const seen = await withWay('lists', async (azure) => {
    await azure.put(VNET, { location: 'uksouth' });
    const count = async () => (await azure.get(VNET.replace(/\/net$/, ''))).body.value.length as number;
    const first = await count();
    azure.clock.advance(60);
    return [first, await count()];
  }, ([first]) => first === 0);
  expect(seen).toEqual([0, 1]);
});

/** Whether the second PUT of the same body is needed, and enough. */
async function statesOf(azure: Azure, id: string, body: object): Promise<(string | undefined)[]> {
  const states: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    await azure.put(id, body);
    azure.clock.advance(7_200);
    await azure.login();
    states.push((await azure.get(id)).body.properties?.provisioningState as string | undefined);
  }
  return states;
}

test('an operation fails, and the next PUT repairs the resource', async () => {
  const states = await withWay('failures', (azure) => statesOf(azure, VNET, { location: 'uksouth' }), ([first]) => first !== 'Succeeded');
  expect(['Failed', 'Canceled']).toContain(states[0]);
  expect(states.slice(1)).toEqual(['Succeeded', 'Succeeded']);
});

test('of some types only a DELETE repairs a failure', async () => {
  const id = `${GROUP}/providers/Microsoft.Cache/redis/cache`;
  const body = { location: 'uksouth', properties: {} };
  const [before, after] = await withWay('failures', async (azure) => {
    const failed = await statesOf(azure, id, body);
    await azure.delete(id);
    azure.clock.advance(7_200);
    await azure.login();
    return [failed, await statesOf(azure, id, body)] as const;
  }, ([[first]]) => first !== 'Succeeded');
  expect(before).not.toContain('Succeeded');
  expect(after).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
});

test('requests are throttled, and not for ever', async () => {
  const statuses = await withWay('throttles', async (azure) => {
    const all: number[] = [];
    for (let number = 0; number < 30; number++) all.push((await azure.put(GROUP, { location: 'uksouth' })).status);
    return all;
  }, (all) => all.includes(429));
  expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(3);
  expect(statuses.slice(-10).every((status) => status === 200)).toBe(true);
});

test('operations end in every way that is known', async () => {
  const endings = new Set<string>();
  const group = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/other';
  for (const seed of SEEDS) {
    const azure = await Azure.start({ contrary: `${seed}:endings` });
    await azure.group();
    const put = await azure.put(VNET, { location: 'uksouth' });
    await azure.put(group, { location: 'uksouth' });
    const gone = await azure.delete(group);
    azure.clock.advance(7_200);
    await azure.login();
    for (const url of [put.headers['azure-asyncoperation'], gone.headers.location]) {
      const { status, body } = await azure.get(new URL(url!).pathname + new URL(url!).search);
      endings.add(`${status} ${typeof body === 'object' ? Object.keys(body ?? {}).sort().join() : ''}`);
    }
    await azure.close();
  }
  expect([...endings].sort()).toEqual(expect.arrayContaining(['200 ', '200 status', '204 ', '404 error']));
});
