import { ACCOUNT, GROUP } from './azure-stub';
import { ImportableKinds } from '../../../engine/import/importable-kinds';
import type { ImportedResource } from '../../../engine/import/imported-resource';
import { parentOf } from '../../../engine/import/importer';
import { specFromArm } from '../../../engine/import/spec-from-arm';
import { toManifests, type ManifestOptions } from '../../../engine/import/to-manifests';
import { Catalog } from '../../../src/catalog';

const KINDS = new ImportableKinds(Catalog.default());

function resource(id: string, answer: Readonly<Record<string, unknown>> = {}): ImportedResource {
  const version = KINDS.of(id)!;
  return { id, version, owner: parentOf(id), name: id.split('/').at(-1)!, answer, ...specFromArm(version, answer) };
}

function objects(resources: readonly ImportedResource[], options: Partial<ManifestOptions> = {}) {
  return toManifests(resources, { policy: 'manage', ...options }).map(({ object }) => object as { kind: string; metadata: { name: string; annotations?: unknown }; spec: Record<string, unknown> });
}

test('owners come first and are named; an owner that is not imported is given by its id', () => {
  const [account, service] = objects([resource(`${ACCOUNT}/blobServices/default`), resource(ACCOUNT)]);
  expect([account!.kind, account!.spec]).toEqual(['StorageAccount', { azureName: 'data', owner: { armId: GROUP } }]);
  expect([service!.metadata.name, service!.spec]).toEqual(['data', { owner: { name: 'data' } }]);
});

test('references to imported resources are by name, to others by id; two that refer to each other do not wait for each other', () => {
  const [group, network] = ['Microsoft.Network/networkSecurityGroups/rules', 'Microsoft.Network/virtualNetworks/net'].map((end) => `${GROUP}/providers/${end}`);
  const subnet = `${network}/subnets/apps`;
  const made = objects([
    resource(group!, { location: 'uksouth' }),
    resource(network!, { location: 'uksouth', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } }),
    resource(subnet, { properties: { addressPrefix: '10.0.0.0/24', networkSecurityGroup: { id: group }, routeTable: { id: `${GROUP}/providers/Microsoft.Network/routeTables/else` } } }),
  ]);
  const { spec } = made.find(({ kind }) => kind === 'VirtualNetworksSubnet')!;
  expect(spec).toMatchObject({
    owner: { name: 'net' },
    networkSecurityGroup: { reference: { group: 'network.azure.com', kind: 'NetworkSecurityGroup', name: 'rules' } },
    routeTable: { reference: { armId: expect.stringContaining('routeTables/else') } },
  });
});

test('names: those of Azure in Kubernetes\' letters, the owner\'s before one that is taken, never too long', () => {
  const second = `${GROUP}/providers/Microsoft.Storage/storageAccounts/more`;
  const containers = [ACCOUNT, second].flatMap((account) => ['Ürders', 'logs'].map((name) => `${account}/blobServices/default/containers/${name}`));
  const long = `${GROUP}/providers/Microsoft.Insights/components/${'A b'.repeat(150)}`;
  const names = objects([ACCOUNT, second, `${ACCOUNT}/blobServices/default`, `${second}/blobServices/default`, ...containers, long].map((id) => resource(id)));
  expect(names.filter(({ kind }) => kind === 'StorageAccountsBlobServicesContainer').map(({ metadata: { name } }) => name).sort())
    .toEqual(['logs', 'more-logs', 'more-urders', 'urders']);
  const { metadata: { name } } = names.find(({ kind }) => kind === 'Component')!;
  expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  expect(name.length).toBeLessThanOrEqual(253);
});

test('a role assignment is named after its scope and role', () => {
  const id = `${ACCOUNT}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-1111-1111-111111111111`;
  const [, assignment] = objects([resource(ACCOUNT), resource(id, { properties: { principalId: 'p', roleDefinitionId: '/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7' } })]);
  expect(assignment).toMatchObject({
    metadata: { name: 'reader' },
    spec: { azureName: '11111111-1111-1111-1111-111111111111', owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'data' }, roleDefinitionReference: { wellKnownName: 'Reader' } },
  });
});

test.each([
  ['skip', { 'serviceoperator.azure.com/reconcile-policy': 'skip' }],
  ['detach-on-delete', { 'aso.cdk8s.io/adopt': 'IfPresent', 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' }],
  ['manage', undefined],
] as const)('policy %s', (policy, annotations) => {
  expect(objects([resource(ACCOUNT)], { policy })[0]!.metadata.annotations).toEqual(annotations);
});

test('namespace, labels and annotations are everybody\'s', () => {
  expect(objects([resource(ACCOUNT)], { namespace: 'shop', labels: { team: 'a' }, annotations: { why: 'b' } })[0]!.metadata)
    .toEqual({ name: 'data', namespace: 'shop', labels: { team: 'a' }, annotations: { why: 'b' } });
});

test('a secret that the schema requires names a Secret and a key', () => {
  const id = `${GROUP}/providers/Microsoft.DBforMySQL/flexibleServers/db`;
  const [{ secrets }] = toManifests([resource(id, { location: 'uksouth', properties: { administratorLogin: 'me', administratorLoginPassword: 'hunter2' } })], { policy: 'manage' }) as [ReturnType<typeof toManifests>[number]];
  expect(secrets).toEqual([{ property: 'administratorLoginPassword', secret: 'db-secrets', key: 'administrator-login-password', required: false }]);
});

describe('names of objects', () => {
  const network = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
  const all = () => [
    resource(GROUP, { location: 'uksouth' }),
    resource(network, { location: 'uksouth', properties: {} }),
    resource(`${network}/subnets/nodes`, { properties: {} }),
    resource(`${network}/subnets/nodes.1`, { properties: {} }),
    resource(`${network}/subnets/nodes_1`, { properties: {} }),
  ];
  const named = (options: object) => objects(all(), options).map(({ metadata }) => metadata.name);

  test.each([
    [{}, ['shop', 'net', 'nodes', 'nodes-1', 'net-nodes-1']],
    [{ names: 'long' }, ['shop', 'shop-net', 'shop-net-nodes', 'shop-net-nodes-1', 'shop-net-nodes-1-2']],
    [{ namePrefix: 'prod' }, ['prod-shop', 'prod-net', 'prod-nodes', 'prod-nodes-1', 'prod-net-nodes-1']],
    [{ names: 'long', namePrefix: 'prod' }, ['prod-shop', 'prod-shop-net', 'prod-shop-net-nodes', 'prod-shop-net-nodes-1', 'prod-shop-net-nodes-1-2']],
  ])('%j', (options, expected) => expect(named(options)).toEqual(expected));

  test('a thousand equal names are numbered', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `${network}/subnets/${'_'.repeat(i % 40)}n${'.'.repeat(Math.floor(i / 40))}`);
    expect(new Set(objects(ids.map((id) => resource(id, { properties: {} }))).map(({ metadata }) => metadata.name)).size).toBe(1000);
  });
});
