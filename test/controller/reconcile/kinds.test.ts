import { FakeAzure, NOT_FOUND } from './fake-azure';
import { GROUP_ID } from './harness';
import { classify } from '../../../engine/arm/classify';
import { ArmError } from '../../../engine/arm/types';
import { changeBody, hooksOf, type KindContext } from '../../../engine/kinds';
import { mergeExisting, shaped } from '../../../engine/kinds/kept-children';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';

const nobody = { find: () => undefined, serves: () => true };

type FakeContext = KindContext & { client: FakeAzure };

function context(
  group: string, kind: string, version: string, armId: string, azure = new FakeAzure(), spec: Record<string, unknown> = {},
): FakeContext {
  const found = Catalog.default().kind(`${group}.azure.com`, kind)!.version(version)!;
  const object: KubernetesObject = {
    apiVersion: `${group}.azure.com/${version}`,
    kind,
    metadata: { name: 'x', namespace: 'default' },
    spec,
  };
  return { object, version: found, armId, client: azure, lookup: nobody };
}

describe('bodies', () => {
  const network = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/vnet`;

  test('a virtual network keeps its subnets, without what Azure added', async () => {
    const azure = new FakeAzure();
    const subnet = {
      name: 's',
      id: `${network}/subnets/s`,
      etag: 'W/1',
      properties: { addressPrefix: '10.0.0.0/24', provisioningState: 'Succeeded', ipConfigurations: [{ id: 'x' }], delegations: [] },
    };
    azure.resources.set(network.toLowerCase(), { body: { properties: { subnets: [subnet] } }, polls: 0 });
    const body = await changeBody(
      { location: 'x', properties: { addressSpace: {} } },
      context('network', 'VirtualNetwork', 'v1api20201101', network, azure),
    );
    expect(body).toEqual({
      location: 'x',
      properties: { addressSpace: {}, subnets: [{ name: 's', id: `${network}/subnets/s`, properties: { addressPrefix: '10.0.0.0/24' } }] },
    });
  });

  test('a new virtual network has nothing to keep', async () => {
    expect(await changeBody({ location: 'x' }, context('network', 'VirtualNetwork', 'v1api20201101', network))).toEqual({ location: 'x' });
  });

  test('a read that fails is no reason to drop subnets', async () => {
    const azure = new FakeAzure();
    azure.intercept = () => ({ status: 500, body: { error: { code: 'Broken', message: 'x' } } });
    await expect(changeBody({}, context('network', 'VirtualNetwork', 'v1api20201101', network, azure))).rejects.toThrow(ArmError);
  });

  test('by name: the spec wins, what it does not name stays', () => {
    const change = { arm: 'a', how: 'mergeByName', shape: { name: 1, properties: { port: 1 } } } as const;
    const existing = [
      { name: 'a', properties: { port: 1 } },
      { name: 'b', properties: { port: 2, state: 'x' } },
    ];
    expect(mergeExisting([{ name: 'a', properties: { port: 9 } }], existing, change)).toEqual([
      { name: 'a', properties: { port: 9 } },
      { name: 'b', properties: { port: 2 } },
    ]);
    expect(mergeExisting(undefined, existing, change)).toHaveLength(2);
  });

  test('a shape keeps values as they are, and leaves out nulls and empty arrays', () => {
    expect(shaped({ a: { b: [] }, c: null, d: [], e: [{ f: 1, g: 2 }] }, { a: 1, c: 1, d: 1, e: { f: 1 } })).toEqual({
      a: { b: [] },
      e: [{ f: 1 }],
    });
  });

  const assignment = `${GROUP_ID}/providers/Microsoft.Authorization/roleAssignments/x`;
  const contributor = '/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c';

  test('a built-in role by name, without a request', async () => {
    const given = context('authorization', 'RoleAssignment', 'v1api20220401', assignment);
    expect(await changeBody({ properties: { roleDefinitionId: 'contributor' } }, given)).toEqual({
      properties: { roleDefinitionId: contributor },
    });
    expect(await changeBody({ properties: { roleDefinitionId: contributor } }, given)).toEqual({
      properties: { roleDefinitionId: contributor },
    });
    expect(given.client.requests).toEqual([]);
  });

  test('a role that the table does not have is asked for once; an unknown one is an error', async () => {
    // The roles of a cloud are asked for once: another cloud than that of other suites.
    const azure = Object.assign(new FakeAzure(), { endpoint: 'https://newer-roles.test' });
    azure.intercept = () => ({
      body: {
        value: [
          { name: '6f1ad54c-0000-4a4a-8000-0123456789ab', properties: { type: 'BuiltInRole', roleName: 'Brand New Role' } },
          { name: 'own', properties: { type: 'CustomRole', roleName: 'Mine' } },
        ],
      },
    });
    const given = context('authorization', 'RoleAssignment', 'v1api20220401', assignment, azure);
    expect(await changeBody({ properties: { roleDefinitionId: 'brand new role' } }, given)).toMatchObject({
      properties: { roleDefinitionId: expect.stringMatching(/roleDefinitions\/6f1ad54c-/) },
    });
    await expect(changeBody({ properties: { roleDefinitionId: 'Mine' } }, given)).rejects.toThrow(
      '"Mine" is not the name of a built-in role',
    );
    expect(azure.requests).toHaveLength(1);
  });

  const vault = `${GROUP_ID}/providers/Microsoft.KeyVault/vaults/kv`;
  const owned = { owner: { armId: GROUP_ID } };
  test.each([
    ['createOrRecover', undefined, 'default'],
    ['createOrRecover', { properties: { vaultId: vault } }, 'recover'],
    ['recover', undefined, 'recover'],
    ['default', undefined, 'default'],
    ['purgeThenCreate', undefined, 'default'],
  ])('vault %s, deleted one %j: %s', async (mode, deleted, sent) => {
    const azure = new FakeAzure();
    azure.intercept = () => (deleted ? { body: deleted } : NOT_FOUND);
    const body = await changeBody(
      { location: 'westus', properties: { createMode: mode } },
      context('keyvault', 'Vault', 'v1api20230701', vault, azure, owned),
    );
    expect(body).toMatchObject({ properties: { createMode: sent } });
  });

  test('a deleted vault of another group is not recovered; one to be purged is purged without waiting', async () => {
    const azure = new FakeAzure();
    azure.intercept = ({ method }) =>
      method === 'POST' ? { status: 202 } : { body: { properties: { vaultId: vault.replace('/rg/', '/other/') } } };
    const given = context('keyvault', 'Vault', 'v1api20230701', vault, azure, owned);
    await expect(changeBody({ location: 'westus', properties: { createMode: 'createOrRecover' } }, given)).rejects.toMatchObject({
      severity: 'Error',
      message: expect.stringContaining('"other"'),
    });
    await expect(changeBody({ location: 'westus', properties: { createMode: 'purgeThenCreate' } }, given)).rejects.toMatchObject({
      severity: 'Warning',
      reason: 'ReconciliationBlocked',
    });
    expect(azure.requests.at(-1)).toMatch(/^POST .*\/deletedVaults\/kv\/purge$/);
  });
});

describe('state gates', () => {
  const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
  const pool = `${cluster}/agentPools/p`;
  const gate = hooksOf('containerservice.azure.com', 'ManagedClustersAgentPool').preCheck!;

  test.each([
    [undefined, undefined, 'proceed'],
    ['Succeeded', 'failed', 'proceed'],
    ['Updating', 'Succeeded', 'block'],
    ['Succeeded', 'Scaling', 'block'],
  ])('owner %s, pool %s: %s', async (owner, own, verdict) => {
    const azure = new FakeAzure();
    azure.intercept = ({ url }) => {
      const state = url === cluster ? owner : own;
      return state ? { body: { id: url, properties: { provisioningState: state } } } : NOT_FOUND;
    };
    expect(
      (await gate(context('containerservice', 'ManagedClustersAgentPool', 'v1api20240901', pool, azure, { owner: { armId: cluster } })))
        .kind,
    ).toBe(verdict);
  });

  const server = `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/s`;
  test.each([
    ['a new server that was seen ready', true, 'FlexibleServersDatabase', 'databases', { state: 'Ready' }, 0],
    ['a new server in another state', true, 'FlexibleServersDatabase', 'databases', { state: 'Updating' }, 1],
    ['a new server of unknown state', true, 'FlexibleServersDatabase', 'databases', {}, 1],
    ['a server that is not new', false, 'FlexibleServersDatabase', 'databases', { state: 'Ready' }, 1],
  ])('the state of the owner, %s', async (_, isNew, kind, segment, status, reads) => {
    const azure = new FakeAzure();
    azure.intercept = ({ url }) => ({ body: { id: url, properties: { state: 'Ready' } } });
    const given = context('dbforpostgresql', kind, 'v20250801', `${server}/${segment}/d`, azure, { owner: { name: 's' } });
    const owner: KubernetesObject = {
      apiVersion: 'dbforpostgresql.azure.com/v20250801',
      kind: 'FlexibleServer',
      metadata: { name: 's', namespace: 'default', annotations: { 'serviceoperator.azure.com/resource-id': server } },
      status,
    };
    const lookup = { find: () => owner, serves: () => true };
    expect(await hooksOf('dbforpostgresql.azure.com', kind).preCheck!({ ...given, lookup, isNew })).toEqual({ kind: 'proceed' });
    expect(azure.requests).toHaveLength(reads);
  });

  test('most kinds have none', () => expect(hooksOf('resources.azure.com', 'ResourceGroup').preCheck).toBeUndefined());
});

describe('error classes', () => {
  test.each([
    ['documentdb', 'DatabaseAccount', 'ServiceUnavailable', 'currently experiencing high demand', 503, { severity: 'Error' }],
    ['documentdb', 'DatabaseAccount', 'ServiceUnavailable', 'down', 503, { severity: 'Warning' }],
    ['sql', 'Server', 'PasswordNotComplex', 'x', 400, { severity: 'Error' }],
    ['cdn', 'AfdCustomDomain', 'BadRequest', 'This resource is still associated with a route', 400, { severity: 'Warning', retry: 'slow' }],
    ['cdn', 'AfdCustomDomain', 'BadRequest', 'other', 400, { severity: 'Warning', retry: 'verySlow' }],
    ['containerservice', 'ManagedClustersAgentPool', 'NodePoolMcVersionIncompatible', 'x', 400, { severity: 'Warning', retry: 'slow' }],
    ['network', 'DnsForwardingRuleset', 'InvalidTemplate', 'the thing was not found', 400, { severity: 'Warning', retry: 'slow' }],
    ['compute', 'Disk', 'Conflict', 'DiskAccess x is in failed state.', 409, { severity: 'Warning' }],
  ])('%s %s %s %s', (group, kind, code, message, status, expected) => {
    expect(classify(new ArmError(code, message, status), hooksOf(`${group}.azure.com`, kind).adjust)).toMatchObject(expected);
  });
});
