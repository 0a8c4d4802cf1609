import { Azure, GROUP } from './client';

const CLUSTER = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/aks`;
const POOL = `${CLUSTER}/agentPools`;
const pool = (name: string, more: object = {}) => ({ name, count: 1, mode: 'System', vmSize: 'Standard_D2s_v5', ...more });
const cluster = (...pools: object[]) => ({ location: 'uksouth', properties: { kubernetesVersion: '1.33', dnsPrefix: 'aks', agentPoolProfiles: pools } });

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start({ aksKubeconfig: 'apiVersion: v1\nkind: Config\ncurrent-context: real\n' });
  await azure.group();
});
afterEach(() => azure.close());

/** A request whose operation has ended. */
async function put(id: string, body: object): Promise<number> {
  const { status } = await azure.put(id, body);
  azure.clock.advance(7_200);
  await azure.login();
  return status;
}

const profiles = async (): Promise<{ name: string }[]> => (await azure.get(CLUSTER)).body.properties.agentPoolProfiles;

test('inline pools are resources of their own', async () => {
  await put(CLUSTER, cluster(pool('system')));
  const { status, body } = await azure.get(`${POOL}/system`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'system', properties: { count: 1, orchestratorVersion: '1.33', currentOrchestratorVersion: '1.33.5', provisioningState: 'Succeeded' } });
  expect((await azure.get(POOL)).body.value.map(({ name }: { name: string }) => name)).toEqual(['system']);
});

test('pools made by themselves are told in the cluster', async () => {
  await put(CLUSTER, cluster(pool('system')));
  await put(`${POOL}/user`, { properties: { count: 3, mode: 'User', vmSize: 'Standard_D4s_v5' } });
  expect(await profiles()).toMatchObject([pool('system'), { name: 'user', count: 3, mode: 'User', currentOrchestratorVersion: '1.33.5' }]);
  await azure.delete(`${POOL}/user`);
  azure.clock.advance(7_200);
  await azure.login();
  expect(await profiles()).toHaveLength(1);
});

test('a PUT of the cluster keeps pools that it does not list', async () => {
  await put(CLUSTER, cluster(pool('system'), pool('second')));
  expect(await put(CLUSTER, { location: 'uksouth', properties: { kubernetesVersion: '1.34.1', dnsPrefix: 'aks', agentPoolProfiles: null } })).toBeLessThan(300);
  expect((await profiles()).map(({ name }) => name)).toEqual(['system', 'second']);
  expect((await azure.get(CLUSTER)).body.properties).toMatchObject({ kubernetesVersion: '1.34.1', currentKubernetesVersion: '1.34.1' });
});

test('a PUT of the cluster takes no new pool', async () => {
  await put(CLUSTER, cluster(pool('system')));
  const { status, body } = await azure.put(CLUSTER, cluster(pool('system'), pool('other')));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('A new agent pool was introduced.')]);
});

test.each(['User', 'Admin'])('the credential of a cluster is the kubeconfig that was given (%s)', async (who) => {
  await put(CLUSTER, cluster(pool('system')));
  const { body } = await azure.send('POST', `${CLUSTER}/listCluster${who}Credential`);
  expect(Buffer.from(body.kubeconfigs[0].value, 'base64').toString()).toContain('current-context: real');
});

test('inline subnets are resources of their own, too', async () => {
  const net = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
  const subnet = (name: string, prefix: string) => ({ name, properties: { addressPrefix: prefix } });
  await put(net, { location: 'uksouth', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [subnet('a', '10.0.0.0/24'), subnet('b', '10.0.1.0/24')] } });
  expect((await azure.get(`${net}/subnets/a`)).body).toMatchObject({ name: 'a', properties: { addressPrefix: '10.0.0.0/24' } });
  await put(net, { location: 'uksouth', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [subnet('b', '10.0.2.0/24')] } });
  expect((await azure.get(`${net}/subnets/a`)).status).toBe(404);
  expect((await azure.get(`${net}/subnets/b`)).body.properties.addressPrefix).toBe('10.0.2.0/24');
});

test('a container app waits for its environment', async () => {
  const environment = `${GROUP}/providers/Microsoft.App/managedEnvironments/env`;
  const app = `${GROUP}/providers/Microsoft.App/containerApps/app`;
  const body = { location: 'uksouth', properties: { environmentId: environment, template: { containers: [{ name: 'web', image: 'nginx' }] } } };
  await azure.put(environment, { location: 'uksouth', properties: {} });
  const early = await azure.put(app, body);
  expect([early.status, early.body.error?.code]).toEqual([400, 'ManagedEnvironmentNotProvisioned']);
  azure.clock.advance(7_200);
  await azure.login();
  expect((await azure.put(app, body)).status).toBeLessThan(300);
});
