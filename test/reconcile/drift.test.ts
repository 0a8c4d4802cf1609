import { group, GROUP_ID, GROUPS, inWorldsOfTheirOwn, object, World } from './harness';
import { annotation, LATEST_GENERATION, PUT_RECORD, withAnnotations } from '../../engine/objects/annotations';

const HOUR = 3_600_000;
let world: World;
inWorldsOfTheirOwn((made) => (world = made));

const record = () => JSON.parse(annotation(world.stored(GROUPS, 'rg')!, PUT_RECORD)!) as { known?: Record<string, string>; digest: string; at: string };
const events = (reason: string) => world.events.filter((event) => event.reason === reason);
const requests = async (act: () => Promise<unknown>) => {
  const before = world.azure.requests.length;
  await act();
  return world.azure.requests.slice(before).map((request) => request.split(' ')[0]);
};

async function ready(spec: Record<string, unknown> = { location: 'westeurope', tags: { team: 'a' } }, annotations?: Record<string, string>): Promise<void> {
  await world.cluster.create(GROUPS, object(GROUPS, 'rg', spec, annotations));
  await world.start();
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

test('a periodic look at what is as wanted is one GET, and writes nothing', async () => {
  await ready();
  const writes = world.cluster.writes.length;
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET']);
  expect(world.cluster.writes).toHaveLength(writes);
  expect(events('Drift')).toEqual([]);
});

test('what somebody changed is sent again; the event names the places, not the values', async () => {
  await ready();
  world.azure.meddle(GROUP_ID, { location: 'secretplace', tags: { team: 'b' } });
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(events('Drift')).toEqual([{ type: 'Normal', reason: 'Drift', message: 'Azure differs from what is wanted at /location, /tags/team; sending the resource again' }]);
  expect(world.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope', tags: { team: 'a' } });
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET']);
});

test('what Azure shows otherwise than it was sent is known from then on, until it shows something else', async () => {
  const spelt = (tags: Record<string, string>) => {
    world.azure.intercept = ({ method, url }) => (method === 'PUT' || (method === 'GET' && !url.includes('/operations/')) ? { body: { id: GROUP_ID, location: 'westeurope', tags, properties: { provisioningState: 'Succeeded' } } } : undefined);
  };
  spelt({ team: 'A!' });
  await ready();
  expect(Object.keys(record().known!)).toEqual(['/tags/team']);
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET']);
  spelt({ team: 'B!' });
  for (let round = 1; round <= 3; round += 1) expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET']);
});

/** What Azure shows of the group whatever it is sent, in answers to these methods. */
function always(methods: readonly string[], body: Record<string, unknown>, status = 200): void {
  const shown = { status, body: { id: GROUP_ID, ...body, properties: { provisioningState: 'Succeeded' } } };
  world.azure.intercept = ({ method, url }) => (methods.includes(method) && !url.includes('/operations/') ? shown : undefined);
}

test('the same of a long operation: what the first answer showed is confirmed when it is over', async () => {
  world.azure.polls = 2;
  const headers = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
  world.azure.after = ({ method }) => {
    if (method === 'PUT') always(['GET'], { location: 'elsewhere' });
  };
  world.azure.resources.set(GROUP_ID.toLowerCase(), { body: {}, polls: 2 });
  world.azure.intercept = ({ method }) => (method === 'PUT' ? { status: 201, headers, body: { id: GROUP_ID, location: 'elsewhere', properties: { provisioningState: 'Creating' } } } : undefined);
  await world.cluster.create(GROUPS, group());
  await world.start();
  expect(record()).toMatchObject({ shown: { '/location': expect.any(String) as string } });
  await world.clock.advance(30_000);
  expect(Object.keys(record().known!)).toEqual(['/location']);
  expect(record()).not.toHaveProperty('shown');
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET']);
});

test('what somebody changes between a PUT and the read after it is not taken for what Azure made of it', async () => {
  world.azure.after = ({ method }) => {
    if (method !== 'PUT') return;
    world.azure.after = () => undefined;
    world.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  };
  await ready();
  expect(record().known).toEqual({});
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(world.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { team: 'a' } });
  expect(events('Drift')).toHaveLength(1);
});

test('the same while an operation runs, which a restart follows', async () => {
  world.azure.polls = 3;
  await world.cluster.create(GROUPS, object(GROUPS, 'rg', { location: 'westeurope', tags: { team: 'a' } }));
  await world.start();
  await world.kill();
  world.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  await world.start();
  await world.clock.advance(60_000);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(await requests(() => world.clock.advance(HOUR))).toContain('PUT');
  expect(world.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { team: 'a' } });
});

test('an answer that still shows what is being corrected makes it nobody\'s way', async () => {
  await ready();
  always(['PUT', 'GET'], { location: 'westeurope', tags: { team: 'b' } });
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(record().known).toEqual({});
  world.azure.intercept = () => undefined;
  world.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
});

test('an answer to an update whose operation runs may show what was before: nothing is learnt from it', async () => {
  await ready();
  const headers = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
  const before = { id: GROUP_ID, location: 'westeurope', tags: { team: 'a' } };
  world.azure.intercept = ({ method, url }) => {
    if (method === 'PUT') return { status: 200, headers, body: { ...before, properties: { provisioningState: 'Updating' } } };
    return url.includes('/operations/') ? { body: { status: 'Succeeded' } } : { body: { ...before, properties: { provisioningState: 'Succeeded' } } };
  };
  await world.cluster.edit(GROUPS, 'default', 'rg', { location: 'westeurope', tags: { team: 'c' } });
  await world.clock.advance(60_000);
  expect(record().known).toEqual({});
  expect(await requests(() => world.clock.advance(HOUR))).toContain('PUT');
});

test('what the answers to three PUTs in a row show is how Azure is, and told', async () => {
  await ready();
  always(['PUT', 'GET'], { location: 'westeurope', tags: { team: 'b' } });
  for (let round = 1; round <= 3; round += 1) expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(await requests(() => world.clock.advance(2 * HOUR))).toEqual(['GET', 'GET']);
  expect(events('KnownDifference')).toMatchObject([{ type: 'Warning', message: expect.stringContaining('/tags/team') }]);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
});

test('a restart after the sync was due, and a digest of another controller version, send nothing where nothing differs', async () => {
  await ready();
  await world.kill();
  await world.cluster.replace(GROUPS, withAnnotations(world.stored(GROUPS, 'rg')!, { [PUT_RECORD]: JSON.stringify({ ...record(), digest: 'x'.repeat(43) }) }));
  await world.clock.advance(5 * HOUR);
  expect(await requests(() => world.start())).toEqual(['GET']);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(record().digest).not.toBe('x'.repeat(43));
  expect(await requests(() => world.clock.advance(1.3 * HOUR))).toEqual(['GET']);
});

test('a restart finds what was changed meanwhile', async () => {
  await ready();
  await world.kill();
  world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  expect(await requests(() => world.start())).toEqual(['GET', 'PUT', 'GET']);
});

test('an object that Azure Service Operator has sent is taken over without a PUT where nothing differs', async () => {
  await ready();
  await world.kill();
  const stored = world.stored(GROUPS, 'rg')!;
  await world.cluster.replace(GROUPS, withAnnotations(stored, { [PUT_RECORD]: undefined, [LATEST_GENERATION]: '1' }));
  expect(await requests(() => world.start())).toEqual(['GET']);
  expect(record()).toMatchObject({ answered: true, generation: 1 });
});

test('a kill before the first PUT arrived costs no PUT where the resource is as wanted already', async () => {
  world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  world.azure.before = ({ method }) => {
    if (method === 'PUT') void world.kill();
    if (method === 'PUT') throw new Error('killed');
  };
  await world.cluster.create(GROUPS, group());
  await world.start();
  world.errors.length = 0;
  world.azure.before = () => undefined;
  expect(await requests(() => world.start())).toEqual(['GET']);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('ignoreChanges: what others may change is no difference', async () => {
  await ready({ location: 'westeurope', tags: { team: 'a', cost: '1' } }, { 'aso.cdk8s.io/ignore-changes': '["tags.cost"]' });
  world.azure.meddle(GROUP_ID, { tags: { team: 'a', cost: '2' } });
  expect((await requests(() => world.clock.advance(HOUR))).filter((method) => method === 'PUT')).toEqual([]);
});

test('a resource that is gone is made again', async () => {
  await ready();
  world.azure.resources.clear();
  expect(await requests(() => world.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('an operation of somebody else is waited for', async () => {
  await ready();
  world.azure.intercept = ({ method }) => (method === 'GET' ? { body: { id: GROUP_ID, location: 'x', properties: { provisioningState: 'Updating' } } } : undefined);
  await world.clock.advance(HOUR + 60_000);
  expect(world.azure.count('PUT')).toBe(1);
  world.azure.intercept = () => undefined;
  await world.clock.advance(60_000);
  expect(world.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(world.azure.count('PUT')).toBe(1);
});
