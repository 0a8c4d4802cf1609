import { pollsOf, requestCostOf, type Requests } from '../../../cli/capacity/request-cost';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { versionOf } from '../../../engine/resolve';
import {
  ACCOUNTS,
  BLOBS,
  group,
  GROUPS,
  IDENTITIES,
  identity,
  inSeparateEnvironments,
  NETWORKS,
  object,
  TestEnvironment,
} from '../../controller/reconcile/harness';

const HOUR = 3_600_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

/** Requests of the controller. */
async function observed(act: () => Promise<unknown>): Promise<Requests> {
  const before = environment.azure.requests.length;
  await act();
  const methods = environment.azure.requests.slice(before).map((request) => request.split(' ')[0]);
  const reads = methods.filter((method) => method === 'GET' || method === 'HEAD').length;
  return { reads, writes: methods.length - reads };
}

const SENT = { isOnlyRead: false, isBelowNewGroup: true };
const SKIP = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
const account = (name: string, more: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
  object(
    ACCOUNTS,
    name,
    { location: 'westeurope', owner: { name: 'rg' }, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...more },
    annotations,
  );
const keys = { operatorSpec: { secrets: { key1: { name: 'keys', key: 'one' }, key2: { name: 'keys', key: 'two' } } } };
const network = object(NETWORKS, 'net', {
  location: 'westeurope',
  owner: { name: 'rg' },
  addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
});

const cases: [name: string, type: ResourceType, one: KubernetesObject][] = [
  ['a plain resource', IDENTITIES, identity()],
  ['what lists keys: a write each time, however many values', ACCOUNTS, account('sa', keys)],
  ['what keeps children of others does not look for them in a new group', NETWORKS, network],
  [
    'what ignores changes reads before it writes',
    ACCOUNTS,
    account('sa', { tags: { a: 'b' } }, { 'aso.cdk8s.io/ignore-changes': '["tags"]' }),
  ],
  ['what may take nothing over looks first', ACCOUNTS, account('sa', {}, { 'aso.cdk8s.io/adopt': 'Never' })],
];

test.each(cases)('the controller sends what is foretold: %s', async (_, type, one) => {
  environment.azure.intercept = ({ method }) =>
    method === 'POST'
      ? {
        status: 200,
        body: {
          keys: [
            { keyName: 'key1', value: 'a' },
            { keyName: 'key2', value: 'b' },
          ],
        },
      }
      : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  const version = versionOf(one)!;
  const cost = (annotated: KubernetesObject) =>
    requestCostOf({ version, spec: annotated.spec ?? {}, annotations: annotated.metadata.annotations ?? {}, ...SENT });
  const foretold = cost(one);
  const groupCost = requestCostOf({ version: versionOf(group())!, spec: {}, annotations: {}, isOnlyRead: false });

  const create = await observed(async () => {
    // As long as usual: one poll sees the end.
    environment.azure.polls = Math.min(pollsOf(version.facts.arm!.type), 1);
    await environment.cluster.create(type, one);
    await environment.clock.advance(200_000);
  });
  expect(environment.ready(type, one.metadata.name)).toMatchObject({ status: 'True' });
  expect(create).toEqual(foretold.create);

  // The group's sync comes with it.
  const both = (a: Requests, b: Requests) => ({ reads: a.reads + b.reads, writes: a.writes + b.writes });
  expect(await observed(() => environment.clock.advance(HOUR))).toEqual(both(foretold.sync, groupCost.sync));

  await environment.kill();
  expect(await observed(() => environment.start())).toEqual(both(foretold.restart, groupCost.restart));
});

test('what is only read costs a GET', async () => {
  environment.azure.resources.set('/subscriptions/11111111-1111-1111-1111-111111111111/resourcegroups/rg', {
    body: { name: 'rg', location: 'westeurope' },
  } as never);
  const one = object(GROUPS, 'rg', { location: 'westeurope' }, SKIP);
  const foretold = requestCostOf({ version: versionOf(one)!, spec: one.spec!, annotations: SKIP, isOnlyRead: true });
  await environment.cluster.create(GROUPS, one);
  expect(await observed(() => environment.start())).toEqual(foretold.create);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(await observed(() => environment.clock.advance(HOUR))).toEqual(foretold.sync);
});

test('what Azure does not show is sent in each sync', () => {
  const one = object({ ...BLOBS, group: 'apimanagement.azure.com', version: 'v1api20220801', kind: 'ProductApi' }, 'x', {});
  const version = versionOf(one)!;
  expect(version.supports('GET')).toBe(false);
  const { sync, create, aso } = requestCostOf({ version, spec: {}, annotations: {}, isOnlyRead: false });
  expect([sync, create, aso]).toEqual(Array(3).fill({ reads: 1, writes: 1 }));
});

test('an operation is polled at its usual end; where there is none, not at all', () => {
  // 68 s, Retry-After 60; 27 s, Retry-After 17; 5 s, without Retry-After; no operation.
  const types = ['DBforPostgreSQL/flexibleServers', 'Storage/storageAccounts', 'ApiManagement/service/namedValues', 'Resources/resourceGroups'];
  expect(types.map((type) => pollsOf(`Microsoft.${type}`))).toEqual([1, 1, 1, 0]);
});
