import { parse } from 'yaml';
import { runCommandLine } from '../../../cli/command-line';
import type { Explanation } from '../../../cli/explain/explanation';
import { Catalog } from '../../../src/catalog';
import { captured } from '../capture';

const run = async (...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(['explain', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
};
const json = async (...args: string[]) => JSON.parse((await run(...args, '--output', 'json')).out) as Explanation;

test('a property: its path, type, places, facts, children, examples and links', async () => {
  const { status, out, err } = await run('storage.StorageAccount.networkAcls');
  expect([status, err]).toEqual([0, '']);
  expect(out).toContain('  Manifest  spec.networkAcls of storage.azure.com/v20250601\n');
  expect(out).toContain('  Azure     properties.networkAcls of Microsoft.Storage/storageAccounts 2025-06-01\n');
  expect(out).toMatch(/^ {2}defaultAction\* +DefaultAction \(enum\) {2}\S/m);
  expect(out).toContain('    networkAcls:\n      defaultAction: Allow\n');
  expect(out).toContain('    networkAcls: { defaultAction: storage.DefaultAction.ALLOW },\n');
  expect(out).toContain('https://learn.microsoft.com/azure/templates/microsoft.storage/storageaccounts\n');
});

test('the facts are those of the doc comments', async () => {
  const { property, text, arm } = await json('storage.StorageAccount.accessTier');
  const { text: documented } = Catalog.default().docs('storage').StorageAccount_Spec!.accessTier!;
  expect([text, property?.text, property?.default, arm]).toEqual([[documented], documented, 'Hot', 'properties.accessTier']);
  expect(property?.allowed).toEqual(['Cold', 'Cool', 'Hot', 'Premium']);
  expect((await json('storage.StorageAccount.location')).property).toMatchObject({
    immutable: true, required: true, facts: expect.arrayContaining(['Cannot be changed after creation.']) as unknown,
  });
});

test.each([
  'storage.StorageAccount.sku',
  'storage.azure.com/StorageAccount.sku',
  'storage.azure.com/StorageAccount.spec.sku',
  'storage.azure.com/v20250601/StorageAccount.sku',
  'storageaccount.sku',
  'StorageAccounts.SKU',
  'storage.storageaccounts.sku',
])('%s is the SKU of a storage account', async (path) => expect((await json(path)).path).toBe('storage.StorageAccount.sku'));

test('lists and maps need no marks, and the name of a CRD will do', async () => {
  expect((await json('storage.StorageAccount.networkAcls.ipRules[].value')).arm).toBe('properties.networkAcls.ipRules.value');
  expect((await json('storageaccounts.storage.azure.com')).path).toBe('storage.StorageAccount');
  expect((await json('network.frontdoor.WebApplicationFirewallPolicy')).path).toBe('networkfrontdoor.WebApplicationFirewallPolicy');
});

test.each([
  ['storag', /no service or kind storag\. Did you mean 'storage'\?/],
  ['storag.StorageAccount', /Did you mean 'storage\.StorageAccount'\?/],
  ['storage.StorageAcount', /storage\.azure\.com has no kind StorageAcount\. Did you mean 'storage\.StorageAccount'\?/],
  ['storage.Container', /has no kind Container\. Did you mean 'storage\.StorageAccountsBlobServicesContainer'\?/],
  ['StorageAcount', /Did you mean 'storage\.StorageAccount'\?/],
  ['FlexibleServer', /give one of dbformysql\.FlexibleServer, dbforpostgresql\.FlexibleServer/],
  ['storrage.azure.com/StorageAccount', /no group storrage\.azure\.com\. Did you mean 'storage\.azure\.com'\?/],
  ['storage.StorageAccount.acessTier', /has no property acessTier\. Did you mean 'storage\.StorageAccount\.accessTier'\?/],
  [
    'containerservice.ManagedCluster.agentPoolProfiles.vnetSubnetID',
    /no property vnetSubnetID: Azure's vnetSubnetID is called vnetSubnetReference here: cdk8s-aso explain \S+\.agentPoolProfiles\.vnetSubnetReference/,
  ],
  ['containerservice.ManagedCluster.vnetSubnetID', /There is agentPoolProfiles\.vnetSubnetReference/],
  ['storage.StorageAccount.ipRules', /There is networkAcls\.ipRules/],
  ['storage.StorageAccount.location.x', /storage\.StorageAccount\.location has no properties/],
  ['storage.StorageAccount.status', /status is not explained/],
  ['storage.azure.com/v1/StorageAccount', /has no version v1\./],
  ['storage.azure.com/a/b/c', /write GROUP\/KIND/],
])('%s does not exist: exit status 2, with a hint', async (path, message) => {
  const { status, out, err } = await run(path);
  expect([status, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

test('without a path the services, with a service its kinds', async () => {
  expect((await run()).out).toMatch(/^storage +10 kinds: StorageAccount, /m);
  expect((await run('storage')).out).toMatch(/^StorageAccount +storage\.azure\.com\/v20250601 {2}Microsoft\.Storage\/storageAccounts$/m);
  expect((await run('storage.azure.com')).out).toBe((await run('storage')).out);
});

test('a kind: owner, name, versions, properties and outputs', async () => {
  const { out } = await run('managedidentity.UserAssignedIdentity');
  expect(out).toContain('Owned by a resource group.');
  expect(out).toContain('Outputs\n  clientId, principalId');
  expect(out).toMatch(/^ {2}location\* +string/m);
  expect((await run('storage.StorageAccountsBlobService')).out).toContain('Its name in Azure is always `default`.');
});

test('--recursive has the properties of properties, and ends where a type contains itself', async () => {
  const { properties } = await json('storage.StorageAccount', '--recursive');
  const acls = properties.find(({ name }) => name === 'networkAcls')!;
  expect(acls.properties!.find(({ name }) => name === 'ipRules')!.properties!.map(({ name }) => name)).toContain('value');
  expect((await run('storage.StorageAccount', '--recursive')).out).toMatch(/^ {4}ipRules +IpRule\[\]/m);
});

test('--api-version has the properties of that version', async () => {
  const has = async (version: string) => (await json('storage.StorageAccount', '--api-version', version)).properties.some(({ name }) => name === 'zones');
  expect(await Promise.all([has('v20250601'), has('storage.azure.com/v20210401')])).toEqual([true, false]);
  expect((await json('storage.StorageAccount', '--api-version', 'v20210401')).example.yaml).toContain('storage.azure.com/v20210401');
});

test('a kind of every service has an explanation, and an example with its owner', async () => {
  const catalog = Catalog.default();
  for (const kind of catalog.services.map((service) => catalog.kindsOf(service).at(-1)!)) {
    const { example, text, apiVersion } = await json(`${kind.group}/${kind.kind}`);
    const object = parse(example.yaml) as { apiVersion: string; kind: string; spec: Record<string, unknown> };
    expect([object.apiVersion, object.kind, text.length > 0]).toEqual([apiVersion, kind.kind, true]);
    if (kind.latest.specProperty('owner')) expect(object.spec.owner).toHaveProperty('name');
  }
});
