import fc from 'fast-check';
import { runCommandLine } from '../../../cli/command-line';
import { parseManifests } from '../../../cli/manifests/manifests';
import { about, durationText, expectedTimeOf, MEDIAN_OF_ALL } from '../../../cli/plan/expected-time';
import { readyText, readyTimes } from '../../../cli/plan/ready-times';
import { captured, filesIn } from '../capture';

type Struct = Record<string, unknown>;
const object = (
  apiVersion: string,
  kind: string,
  name: string,
  spec: Struct = {},
  { namespace = 'ns', annotations = {} }: { namespace?: string; annotations?: Record<string, string> } = {},
) => ({ apiVersion, kind, metadata: { name, namespace, annotations }, spec });
const group = (name: string, more: Parameters<typeof object>[4] = {}) =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', name, { location: 'uksouth' }, more);
const account = (name: string, owner = 'rg', more: Parameters<typeof object>[4] = {}) =>
  object('storage.azure.com/v1api20230101', 'StorageAccount', name, { owner: { name: owner }, location: 'uksouth' }, more);
const identity = (name: string, spec: Struct = {}) =>
  object('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', name, { owner: { name: 'rg' }, location: 'uksouth', ...spec });
const SKIP = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } };

const GROUP_SECONDS = expectedTimeOf('Microsoft.Resources/resourceGroups').seconds;
const ACCOUNT_SECONDS = expectedTimeOf('Microsoft.Storage/storageAccounts').seconds;
const IDENTITY_SECONDS = expectedTimeOf('Microsoft.ManagedIdentity/userAssignedIdentities').seconds;

function times(...objects: unknown[]) {
  return readyTimes(parseManifests(objects.map((o) => JSON.stringify(o)).join('\n---\n'), 'f.yaml').manifests);
}
const names = ({ path }: ReturnType<typeof times>) => path.map(({ name }) => name);

test('recorded times are the answer and the operation behind it; the case of types does not matter', () => {
  expect(expectedTimeOf('microsoft.dbforpostgresql/FLEXIBLESERVERS')).toEqual({ seconds: 68.85, isRecorded: true });
  expect(expectedTimeOf('Microsoft.Nothing/atAll')).toEqual({ seconds: MEDIAN_OF_ALL, isRecorded: false });
  expect(MEDIAN_OF_ALL).toBeGreaterThan(0);
  expect(MEDIAN_OF_ALL).toBeLessThan(30);
});

test('owners come before what they own', () => {
  const found = times(account('sa'), group('rg'), group('other'));
  expect(names(found)).toEqual(['rg', 'sa']);
  expect(found.seconds).toBeCloseTo(GROUP_SECONDS + ACCOUNT_SECONDS);
  expect(found.readyAfter.get('resources.azure.com/ResourceGroup/ns/other')).toBeCloseTo(GROUP_SECONDS);
  expect(readyText(found)).toBe('Ready after about 31 s: ResourceGroup rg → StorageAccount sa.');
});

describe('writes that Azure takes one at a time', () => {
  const network = object('network.azure.com/v1api20201101', 'VirtualNetwork', 'net', {
    owner: { name: 'rg' },
    location: 'uksouth',
    addressSpace: {},
  });
  const subnet = (name: string, owner: Struct = { name: 'net' }) =>
    object('network.azure.com/v1api20201101', 'VirtualNetworksSubnet', name, { owner, addressPrefix: '10.0.0.0/24' });
  const SUBNET_SECONDS = expectedTimeOf('Microsoft.Network/virtualNetworks/subnets').seconds;
  const NETWORK_SECONDS = expectedTimeOf('Microsoft.Network/virtualNetworks').seconds;

  test('add up below one parent, in the order in which they can begin', () => {
    const found = times(subnet('a'), subnet('b'), subnet('c'), network, group('rg'));
    expect(found.seconds).toBeCloseTo(GROUP_SECONDS + NETWORK_SECONDS + 3 * SUBNET_SECONDS);
    expect(names(found)).toEqual(['rg', 'net', 'a', 'b', 'c']);
  });

  test('below another parent do not, also where the parent is given by its id', () => {
    const at = (id: string) => ({ armId: `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/${id}` });
    expect(times(subnet('a', at('x')), subnet('b', at('y')), subnet('c', at('X'))).seconds).toBeCloseTo(2 * SUBNET_SECONDS);
  });
});

test('what is only read takes a second; what is by ARM id is there already', () => {
  expect(times(group('rg', SKIP), account('sa', 'rg', SKIP)).seconds).toBe(2);
  expect(
    times({ ...account('sa'), spec: { owner: { armId: '/subscriptions/x/resourceGroups/rg' }, location: 'uksouth' } }).seconds,
  ).toBeCloseTo(ACCOUNT_SECONDS);
});

test('who reads a value waits for who writes it', () => {
  const writer = identity('writer', { operatorSpec: { configMaps: { principalId: { name: 'ids', key: 'principal' } } } });
  const role = object('authorization.azure.com/v1api20220401', 'RoleAssignment', 'role', {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    principalIdFromConfig: { name: 'ids', key: 'principal' },
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  expect(names(times(role, writer, group('rg')))).toEqual(['rg', 'writer', 'role']);
});

test('who signs in with a credential that another resource writes waits for that one; its writer does not wait for itself', () => {
  const keys = { tenantId: 'AZURE_TENANT_ID', clientId: 'AZURE_CLIENT_ID' };
  const secrets = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, { name: 'team', key }]));
  const writer = identity('writer', { operatorSpec: { secrets } });
  const team = group('team', { annotations: { 'serviceoperator.azure.com/credential-from': 'team' } });
  const found = times(team, writer, group('rg'));
  expect(names(found)).toEqual(['rg', 'writer', 'team']);
  expect(found.seconds).toBeCloseTo(2 * GROUP_SECONDS + IDENTITY_SECONDS);
  const itself = { ...writer, metadata: { ...writer.metadata, annotations: { 'serviceoperator.azure.com/credential-from': 'team' } } };
  expect(names(times(itself, group('rg', { annotations: itself.metadata.annotations })))).toEqual(['rg', 'writer']);
});

test('cycles and what waits for them are never Ready, the rest is', () => {
  const extension = (name: string, owner: string) =>
    object('kubernetesconfiguration.azure.com/v1api20230501', 'Extension', name, {
      owner: { group: 'kubernetesconfiguration.azure.com', kind: 'Extension', name: owner },
    });
  const found = times(extension('a', 'b'), extension('b', 'a'), extension('c', 'a'), group('rg'));
  expect([...found.readyAfter.keys()]).toEqual(['resources.azure.com/ResourceGroup/ns/rg']);
  expect(times().seconds).toBe(0);
  expect(readyText(times())).toBe('');
});

test('any tree in any order: each is Ready after its owners, one after the other', () => {
  const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 20 }).chain((parents) => {
    const owners = parents.map((parent, index) => (index === 0 ? undefined : parent % index));
    const objects = owners.map((owner, index) =>
      object('authorization.azure.com/v1api20220401', 'RoleAssignment', `r${index}`, {
        owner:
          owner === undefined
            ? { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' }
            : { group: 'authorization.azure.com', kind: 'RoleAssignment', name: `r${owner}` },
      }),
    );
    return fc.tuple(fc.constant(owners), fc.shuffledSubarray([...objects, group('rg')], { minLength: objects.length + 1 }));
  });
  const { seconds: step } = expectedTimeOf('Microsoft.Authorization/roleAssignments');
  fc.assert(fc.property(trees, ([owners, objects]) => {
    const depth = (index: number): number => (owners[index] === undefined ? 1 : 1 + depth(owners[index]));
    const found = times(...objects);
    const depths = owners.map((_, index) => depth(index));
    depths.forEach((steps, index) => {
      expect(found.readyAfter.get(`authorization.azure.com/RoleAssignment/ns/r${index}`)).toBeCloseTo(GROUP_SECONDS + steps * step, 6);
    });
    expect(found.seconds).toBeCloseTo(GROUP_SECONDS + Math.max(...depths) * step, 6);
    expect(found.path).toHaveLength(1 + Math.max(...depths));
  }), { numRuns: 50 });
});

test.each([
  [0, '< 1 s'],
  [0.4, '< 1 s'],
  [0.5, '1 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [252, '4 min 12 s'],
  [3600, '1 h'],
  [5430, '1 h 31 min'],
  [7199, '2 h'],
])('%d s is %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('nothing is there at once', () => expect(about(0)).toBe('about 1 s'));

test('graph tells it in the tree and in JSON', async () => {
  const directory = filesIn({ 'a.yaml': [group('rg'), account('sa')].map((o) => JSON.stringify(o)).join('\n---\n') });
  const run = async (...args: string[]) => {
    const terminal = captured();
    expect(await runCommandLine(['graph', directory, ...args], '1.0.0', terminal)).toBe(0);
    return terminal.out.join('\n');
  };
  expect((await run()).endsWith('\n\nReady after about 31 s: ResourceGroup rg → StorageAccount sa.')).toBe(true);
  const { ready } = JSON.parse(await run('--format', 'json')) as { ready: unknown };
  const [rg, sa] = ['resources.azure.com/ResourceGroup/ns/rg', 'storage.azure.com/StorageAccount/ns/sa'];
  expect(ready).toEqual({ afterSeconds: 31.1, withoutLimitsSeconds: 31.1, path: [rg, sa], nodes: { [rg]: 1, [sa]: 31.1 }, guessed: 0 });
});
