import { array, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check';
import { settled } from './fake-clock';
import { GROUP_ID, GROUPS, inSeparateEnvironments, NETWORKS, object, TestEnvironment } from './harness';
import { annotation } from '../../../engine/objects/annotations';
import { LATEST_GENERATION, RECONCILE_POLICY } from '../../../src/azure/annotations';

/** A generation that moved sends a PUT only where the body is another one (docs/spec/reconcile.md#begin). */

const HOUR = 3_600_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const SPEC = { location: 'westeurope', tags: { team: 'a' } };

/** The methods of the requests about the resource while something is done. */
async function requests(act: () => Promise<unknown>): Promise<string[]> {
  const before = environment.azure.requests.length;
  await act();
  await settled();
  return environment.azure.requests.slice(before).map((request) => request.split(' ')[0]!);
}

async function ready(): Promise<void> {
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', SPEC));
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

const edit = (spec: Record<string, unknown>) => environment.cluster.edit(GROUPS, 'default', 'rg', spec);
const generation = () => environment.stored(GROUPS, 'rg')!.metadata.generation;

/** Ready says so of the present generation, and a further sync sends nothing. */
async function expectAtRest(): Promise<void> {
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: generation() });
  expect(annotation(environment.stored(GROUPS, 'rg')!, LATEST_GENERATION)).toBe(String(generation()));
  expect(await requests(() => environment.clock.advance(2 * HOUR))).not.toContain('PUT');
}

test('an edit that changes the body is sent without a read', async () => {
  await ready();
  expect(await requests(() => edit({ ...SPEC, tags: { team: 'b' } }))).toEqual(['PUT']);
});

test('an edit that leaves the body as it is leads to one read', async () => {
  await ready();
  expect(await requests(() => edit({ ...SPEC, operatorSpec: { configMapExpressions: [] } }))).toEqual(['GET']);
  await expectAtRest();
});

test('the same while Azure has another state: it is drift, and sent', async () => {
  await ready();
  environment.azure.meddle(GROUP_ID, { tags: { team: 'z' } });
  expect(await requests(() => edit({ ...SPEC, operatorSpec: {} }))).toEqual(['GET', 'PUT']);
  await expectAtRest();
});

test('an older and a newer file applied while paused lead to one read when it is unpaused', async () => {
  await ready();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'skip' });
  await settled();
  await edit({ ...SPEC, tags: { team: 'b' } });
  await settled();
  await edit(SPEC);
  await settled();
  const unpaused = await requests(() => environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null }));
  expect(unpaused).toEqual(['GET']);
  await expectAtRest();
});

test('the same before the next start of the controller', async () => {
  await ready();
  await environment.kill();
  await edit({ ...SPEC, tags: { team: 'b' } });
  await edit(SPEC);
  expect(await requests(() => environment.start())).toEqual(['GET']);
  await expectAtRest();
});

test('an edit and its reversal while the operation runs end with reads', async () => {
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', { location: 'westeurope' }));
  await environment.start();
  environment.azure.polls = 3;
  const network = { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
  await environment.cluster.create(NETWORKS, object(NETWORKS, 'net', network));
  await settled();
  expect(environment.azure.count('PUT', '/net')).toBe(1);
  await environment.cluster.edit(NETWORKS, 'default', 'net', { ...network, tags: { team: 'b' } });
  await settled();
  await environment.cluster.edit(NETWORKS, 'default', 'net', { ...network, tags: undefined });
  await settled();
  await environment.clock.advance(HOUR);
  expect(environment.azure.count('PUT', '/net')).toBe(1);
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True', observedGeneration: 3 });
});

test('after Azure has refused the PUT of the body, the same body is sent', async () => {
  await ready();
  environment.azure.intercept = ({ method }) =>
    method === 'PUT' ? { status: 400, body: { error: { code: 'BadRequest', message: 'no' } } } : undefined;
  await edit({ ...SPEC, tags: { team: 'b' } });
  await settled();
  environment.azure.intercept = () => undefined;
  expect(await requests(() => edit(SPEC))).toContain('PUT');
  await expectAtRest();
});

test('labels and annotations alone lead to no PUT', async () => {
  await ready();
  expect(await requests(() => environment.cluster.annotate(GROUPS, 'default', 'rg', { note: 'x' }))).toEqual([]);
});

const STEPS = constantFrom('a', 'b', 'c');

test('any sequence of edits that ends at the body that Azure has sends no PUT after the last settled one', async () => {
  const step = record({ team: STEPS, settles: boolean(), pauses: boolean(), restarts: boolean() });
  const sequence = array(step, { minLength: 1, maxLength: 6 });
  await assert(asyncProperty(sequence, async (steps) => {
    const own = new TestEnvironment();
    const specOf = (team: string) => ({ location: 'westeurope', tags: { team } });
    await own.cluster.create(GROUPS, object(GROUPS, 'rg', specOf('a')));
    await own.start();
    const inAzure = () => (own.azure.resources.get(GROUP_ID.toLowerCase())!.body.tags as { team: string }).team;
    for (const { team, settles, pauses, restarts } of steps) {
      if (pauses) await own.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'skip' });
      if (restarts) await own.kill();
      await own.cluster.edit(GROUPS, 'default', 'rg', specOf(team));
      if (settles) await settled();
      if (restarts) await own.start();
    }
    await own.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'skip' });
    await settled();
    // The last edit says what Azure has.
    const before = own.azure.count('PUT');
    await own.cluster.edit(GROUPS, 'default', 'rg', specOf(inAzure()));
    await own.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: null });
    await own.clock.advance(3 * HOUR);
    expect(own.azure.count('PUT')).toBe(before);
    expect(own.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
    // The API server may refuse a write because of an edit that came in between.
    expect(own.errors.filter((error) => !String(error).includes('the object has been modified'))).toEqual([]);
    await own.kill();
  }), { numRuns: 60 });
});

/** A network that Azure works on for another party when its object comes under management. */
async function besidesOther(address: string, begin: (manage: () => Promise<unknown>) => Promise<unknown>): Promise<string[]> {
  const id = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
  const spec = { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
  await ready();
  let provisioningState = 'Updating';
  const properties = () => ({ addressSpace: { addressPrefixes: [address] }, subnets: [], provisioningState });
  environment.azure.intercept = ({ method, url }) =>
    (method === 'GET' && url.includes(id) ? { status: 200, body: { id, name: 'net', location: 'westeurope', properties: properties() } } : undefined);
  await environment.cluster.create(NETWORKS, object(NETWORKS, 'net', spec, { [RECONCILE_POLICY]: 'skip' }));
  await settled();
  const manage = () => environment.cluster.annotate(NETWORKS, 'default', 'net', { [RECONCILE_POLICY]: null });
  expect(await requests(() => begin(manage))).not.toContain('PUT');
  provisioningState = 'Succeeded';
  return requests(() => environment.clock.advance(600_000));
}

const beginnings: readonly [string, (manage: () => Promise<unknown>) => Promise<unknown>][] = [
  ['comes under management', (manage) => manage()],
  ['is met by a new process', async (manage) => {
    await environment.kill();
    await manage();
    await environment.start();
  }],
];

test.each(beginnings)('a resource that %s while another party changes it is read when that is over', async (_, begin) => {
  expect(await besidesOther('10.0.0.0/16', begin)).not.toContain('PUT');
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
});

test.each(beginnings)('a resource that %s while another party changes it to something else is sent when that is over', async (_, begin) => {
  expect((await besidesOther('10.1.0.0/16', begin)).filter((method) => method === 'PUT')).toHaveLength(1);
});
