import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, object, TestEnvironment } from './harness';
import type { ResourceType } from '../../../engine/kubernetes/types';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const type = (plural: string, kind: string): ResourceType => (
  { group: 'containerservice.azure.com', version: 'v1api20240901', plural, kind, namespaced: true }
);
const CLUSTERS = type('managedclusters', 'ManagedCluster');
const POOLS = type('managedclustersagentpools', 'ManagedClustersAgentPool');
const ID = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/k`;

let environment: TestEnvironment;
inSeparateEnvironments((made) => {
  made.types.push(CLUSTERS, POOLS);
  environment = made;
});

const pool = (name: string, count = 1) => ({ name, count, mode: 'System' });

/** A cluster with these pools in its spec, objects for others, and Azure's answer with all that there are. */
async function ready(inline: readonly object[] | undefined, own: readonly string[], shown: readonly object[]): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(CLUSTERS, object(CLUSTERS, 'k', {
    owner: { name: 'rg' }, location: 'westeurope', dnsPrefix: 'k', ...(inline ? { agentPoolProfiles: inline } : {}),
  }));
  for (const name of own) await environment.cluster.create(POOLS, object(POOLS, name, { owner: { name: 'k' }, count: 1, mode: 'User' }));
  await environment.start({ syncPeriod: 10 * MINUTE });
  await settled();
  await environment.clock.advance(20 * MINUTE);
  expect(environment.ready(CLUSTERS, 'k')).toMatchObject({ status: 'True' });
  environment.azure.meddle(ID, { properties: { ...properties(), agentPoolProfiles: shown } });
}

const properties = () => environment.azure.resources.get(ID.toLowerCase())!.body.properties as object;
const puts = () => environment.azure.requests.filter((request) => request.startsWith('PUT') && request.includes('/managedClusters/k')).length;

test.each([
  ['without pools in the spec', undefined, ['b'], [pool('a'), pool('b')]],
  ['with one of them in the spec', [pool('a')], ['b'], [pool('a'), pool('b')]],
])('a cluster that shows its pools is not sent again: %s', async (_, inline, own, shown) => {
  await ready(inline, own, shown);
  const before = puts();
  expect(before).toBeGreaterThan(0);
  await environment.clock.advance(HOUR);
  expect(puts()).toBe(before);
  expect(environment.events.filter(({ reason }) => reason.endsWith('Drift'))).toEqual([]);
});

test('a pool that nobody describes is a difference, which names it', async () => {
  await ready([pool('a')], ['b'], [pool('a'), pool('b'), pool('c')]);
  await environment.clock.advance(11 * MINUTE);
  const [drift] = environment.events.filter(({ reason }) => reason === 'Drift');
  expect(drift?.message).toContain('at /properties/agentPoolProfiles/[name=c];');
});
