import { settled } from './fake-clock';
import { ACCOUNTS, group, GROUP_ID, GROUPS, inSeparateEnvironments, NETWORKS, object, type TestEnvironment } from './harness';
import type { ArmRequest } from '../../../engine/arm/types';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

/** From an edit to Ready, by simulated time and by requests (docs/spec/arm.md#poll-waits). */

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const SPEC = { owner: { name: 'rg' }, location: 'westeurope' };
const account = () => object(ACCOUNTS, 'data', { ...SPEC, kind: 'StorageV2', sku: { name: 'Standard_LRS' } });
const network = () => object(NETWORKS, 'net', { ...SPEC, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
const ids = {
  StorageAccount: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/data`,
  VirtualNetwork: `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`,
};

interface Operation {
  readonly seconds: number;
  readonly retryAfter?: number;
}

/** Azure answers PUTs with operations that take so long, from the second PUT of a resource on; the first one ends at once. */
function operations({ seconds, retryAfter }: Operation): void {
  const sent = new Map<string, { readonly body: Record<string, unknown>; readonly endsAt: number; readonly puts: number }>();
  environment.azure.intercept = ({ method, url, body }: ArmRequest) => {
    const id = Object.values(ids).find((one) => url.toLowerCase().includes(one.toLowerCase()));
    if (!id) return undefined;
    const known = sent.get(id);
    const now = environment.clock.now();
    const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    if (method === 'PUT') {
      const puts = (known?.puts ?? 0) + 1;
      const { properties, ...rest } = body as Record<string, unknown>;
      // A network shows its subnets.
      const resource = { ...rest, id, properties: { subnets: [], ...(properties as object) } };
      sent.set(id, { body: resource, endsAt: puts === 1 ? now : now + seconds * 1000, puts });
      if (puts === 1) return { status: 200, body: resource };
      return { status: 202, headers: { 'azure-asyncoperation': `https://arm.test/operations${id}`, ...wait }, body: undefined };
    }
    if (!known) return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
    if (!url.includes('/operations/')) return { status: 200, body: known.body };
    return now < known.endsAt
      ? { status: 200, headers: wait, body: { status: 'InProgress' } }
      : { status: 200, body: { status: 'Succeeded' } };
  };
}

interface Outcome {
  /** From the edit to Ready, in seconds of the simulated clock. */
  readonly seconds: number;
  /** Requests from the edit until nothing is left to do. */
  readonly requests: number;
}

async function editToReady(type: ResourceType, made: KubernetesObject, operation: Operation): Promise<Outcome> {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  operations(operation);
  await environment.cluster.create(type, made);
  await settled();
  await environment.clock.advance(60_000);
  const { name } = made.metadata;
  expect(environment.ready(type, name)).toMatchObject({ status: 'True' });
  const before = environment.azure.requests.length;
  await environment.cluster.edit(type, 'default', name, { tags: { team: 'b' } });
  await settled();
  const isReady = () => {
    const { status, observedGeneration } = environment.ready(type, name) as { status?: string; observedGeneration?: number };
    return status === 'True' && observedGeneration === 2;
  };
  let seconds = 0;
  for (; !isReady() && seconds < 2_000; seconds += 0.5) await environment.clock.advance(500);
  const requests = environment.azure.requests.length - before;
  expect(environment.azure.requests.slice(before).filter((request) => request.startsWith('PUT'))).toHaveLength(1);
  return { seconds, requests };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly requests: number;
}

test.each<[string, ResourceType, () => KubernetesObject, Operation, Bounds]>([
  // Its creation takes 27 s; updates of it end with their answer in recorded traffic, so their time is not known.
  ['a storage account, 2 s', ACCOUNTS, account, { seconds: 2 }, { least: 2, most: 3, requests: 4 }],
  ['a storage account, 40 s', ACCOUNTS, account, { seconds: 40 }, { least: 40, most: 47, requests: 8 }],
  ['a storage account, where Azure asks for 17 s', ACCOUNTS, account, { seconds: 2, retryAfter: 17 }, { least: 17, most: 17.5, requests: 3 }],
  ['a storage account, 70 s, where Azure asks for 1 s', ACCOUNTS, account, { seconds: 70, retryAfter: 1 }, { least: 70, most: 85, requests: 11 }],
  ['a network, 1 s', NETWORKS, network, { seconds: 1 }, { least: 1, most: 1.5, requests: 4 }],
  ['a network, 300 s', NETWORKS, network, { seconds: 300 }, { least: 300, most: 315, requests: 27 }],
])('%s: Ready soon after the end of the update, with few polls', async (_, type, make, operation, expected) => {
  const { seconds, requests } = await editToReady(type, make(), operation);
  expect(seconds).toBeGreaterThanOrEqual(expected.least);
  expect(seconds).toBeLessThanOrEqual(expected.most);
  expect(requests).toBeLessThanOrEqual(expected.requests);
});

test('an edit back, while the operation of the edit before runs, ends nothing: Azure may still show the resource as it was', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const [tags, puts]: [Record<string, string>[], string[]] = [[], []];
  let endsAt = 0;
  environment.azure.intercept = ({ method, url, body }: ArmRequest) => {
    if (!url.toLowerCase().includes(ids.VirtualNetwork.toLowerCase())) return undefined;
    const isRunning = environment.clock.now() < endsAt;
    const answered = (of: Record<string, string> | undefined, provisioningState: string) => ({
      id: ids.VirtualNetwork,
      location: SPEC.location,
      tags: of,
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [], provisioningState },
    });
    if (url.includes('/operations/')) return { status: 200, body: { status: isRunning ? 'InProgress' : 'Succeeded' } };
    if (method === 'PUT') {
      puts.push(isRunning ? 'beside an operation' : 'alone');
      tags.push((body as { tags?: Record<string, string> }).tags ?? {});
      if (tags.length === 1) return { status: 200, body: answered(tags[0], 'Succeeded') };
      endsAt = environment.clock.now() + 60_000;
      const headers = { 'azure-asyncoperation': `https://arm.test/operations${ids.VirtualNetwork}` };
      return { status: 200, headers, body: answered(tags.at(-1), 'Updating') };
    }
    if (tags.length === 0) return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
    return { status: 200, body: answered(isRunning ? tags.at(-2) : tags.at(-1), 'Succeeded') };
  };
  const made = network();
  await environment.cluster.create(NETWORKS, { ...made, spec: { ...made.spec, tags: { team: 'a' } } });
  await environment.clock.advance(60_000);
  for (const team of ['b', 'a']) {
    await environment.cluster.edit(NETWORKS, 'default', 'net', { tags: { team } });
    await environment.clock.advance(5_000);
  }
  await environment.clock.advance(300_000);
  expect([puts, tags.at(-1)]).toEqual([['alone', 'alone', 'alone'], { team: 'a' }]);
  expect(environment.ready(NETWORKS, 'net')).toMatchObject({ status: 'True' });
});
