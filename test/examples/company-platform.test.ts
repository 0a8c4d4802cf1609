// The example of a company: ten teams of three classes, and services of some of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';

const example = join(__dirname, '..', '..', 'examples', 'company-platform');
const HUB = '/subscriptions/8e4f2a6c-0b1d-4c73-95e8-2f7a9c3d1b60/resourceGroups/aur-prd-hub-rg/providers/Microsoft.Network';

/** The objects of the claims, as reviewed: the files that `api test` compares with. */
function expected(directory: string, name: string): any[] {
  return parseAllDocuments(readFileSync(join(example, 'expected', directory, `${name}.expected.yaml`), 'utf8')).map((document) => document.toJS());
}

const ofKind = (objects: readonly any[], kind: string) => objects.filter((object) => object.kind === kind);
const last = (armId: string, parts: number) => armId.split('/').slice(-parts).join('/');

/** Directory of claims, their number, and `--objects`. */
test.each([['teams', 10, []], ['services', 4, ['teams']]])('the claims of %s give the expected objects, without a warning', async (claims, count, objects) => {
  const terminal = captured();
  const options = [...objects.flatMap((name) => ['--objects', join(example, name)]), '--expected', join(example, 'expected', claims), '-o', 'json'];
  const status = await runCommandLine(['api', 'test', join(example, 'platform.ts'), join(example, claims), ...options], '1.2.3', terminal);
  const { files } = JSON.parse(terminal.out.join('\n')) as { files: { outcome: string; warnings: unknown[] }[] };
  expect([status, terminal.err]).toEqual([0, []]);
  expect(files.map(({ outcome, warnings }) => [outcome, warnings])).toEqual(Array(count).fill(['same', []]));
});

test('every claim has about ten lines', () => {
  const files = ['teams', 'services'].flatMap((claims) => readdirSync(join(example, claims)).map((name) => join(example, claims, name)));
  expect(files.filter((file) => readFileSync(file, 'utf8').trim().split('\n').length > 12)).toEqual([]);
});

test.each([
  ['catalogue-images', ['blob'], 'aur-prd-apps-vnet/subnets/endpoints'],
  ['clickstream-collector', ['blob', 'dfs'], 'aur-prd-data-vnet/subnets/endpoints'],
  ['fjordpost-labels', ['blob'], 'aur-prd-apps-vnet/subnets/partner-endpoints'],
])('storage of %s is reached in its spoke only, by names of the hub\'s zones', (service, parts, subnet) => {
  const objects = expected('services', service);
  const [account] = ofKind(objects, 'StorageAccount');
  expect(account.spec).toMatchObject({ publicNetworkAccess: 'Disabled', networkAcls: { defaultAction: 'Deny' }, allowSharedKeyAccess: false });
  const endpoints = ofKind(objects, 'PrivateEndpoint');
  expect(endpoints.map(({ spec }) => [spec.privateLinkServiceConnections[0].groupIds, last(spec.subnet.reference.armId, 3)]))
    .toEqual(parts.map((part) => [[part], subnet]));
  expect(ofKind(objects, 'PrivateEndpointsPrivateDnsZoneGroup').map(({ spec }) => [spec.owner.name, spec.privateDnsZoneConfigs[0].privateDnsZoneReference.armId]))
    .toEqual(endpoints.map(({ metadata }, index) => [metadata.name, `${HUB}/privateDnsZones/privatelink.${parts[index]}.core.windows.net`]));
});

test('a host name is a domain of Front Door and a record in the zone of the hub', () => {
  const objects = expected('services', 'checkout-basket');
  expect(ofKind(objects, 'AfdCustomDomain').map(({ spec }) => spec.hostName)).toEqual(['shop.aurland.example.com']);
  const [record] = ofKind(objects, 'DnsZonesCNAMERecord');
  expect([record.spec.azureName, record.spec.owner.armId, record.metadata.annotations['serviceoperator.azure.com/credential-from']])
    .toEqual(['shop', `${HUB}/dnsZones/aurland.example.com`, 'aso-credential-8e4f2a6c-0b1d-4c73-95e8-2f7a9c3d1b60']);
});

test.each([
  ['checkout', 'product', '48Gi', ['group', 'service-bus', 'postgres', 'front-door']],
  ['insight', 'data', '320Gi', ['group', 'event-hubs', 'postgres']],
  ['nordpay', 'partner', '6Gi', ['group']],
])('team %s has what its class, %s, gives', (name, teamClass, memoryLimit, roles) => {
  const objects = expected('teams', name);
  expect(ofKind(objects, 'ResourceQuota')[0].spec.hard['limits.memory']).toBe(memoryLimit);
  const operator = `aur-spokes-prd-aur-prd-${name}-operator-id-`;
  expect(ofKind(objects, 'RoleAssignment').map(({ metadata }) => metadata.name)).toEqual(roles.map((role) => `${operator}${role}`));
  expect(ofKind(objects, 'ResourceGroup').map(({ spec }) => [spec.azureName, spec.tags['team-class']])).toEqual([[`aur-prd-${name}-rg`, teamClass]]);
  // Members get the role of `rights.yaml` in their namespace, and nothing else.
  expect(ofKind(objects, 'RoleBinding').map(({ metadata, roleRef }) => [metadata.namespace, roleRef.name])).toEqual([[name, 'aurland-team']]);
});

test('a partner is in its own subscription, and its objects name the credential for it', () => {
  const objects = expected('teams', 'nordpay');
  const credential = 'aso-credential-ada5ff2a-438e-57ed-af5f-db105c2439f8';
  expect(ofKind(objects, 'Secret').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([`aurland-platform/${credential}`]);
  const azure = objects.filter(({ apiVersion }) => /azure\.com\//.test(apiVersion));
  expect(new Set(azure.map(({ metadata }) => metadata.annotations['serviceoperator.azure.com/credential-from']))).toEqual(new Set([credential]));
});
