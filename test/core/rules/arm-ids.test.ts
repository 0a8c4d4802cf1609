import { runRules } from '../../../src/core/rules/run-rules';

const S = '11111111-2222-3333-4444-555555555555';
const GROUP = `/subscriptions/${S}/resourceGroups/rg`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/Closed1`;
const SUBNET = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net/subnets/links`;
const object = (apiVersion: string, kind: string, name: string, spec: object, annotations = {}) =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', annotations }, spec });
const foundBy = (rule: string, ...objects: object[]) =>
  runRules(objects as Parameters<typeof runRules>[0]).findings.filter((finding) => finding.rule === rule).map(({ field }) => field);

const account = (owner: object, annotations = {}) => object('storage.azure.com/v20250601', 'StorageAccount', 'closed1',
  { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner, allowSharedKeyAccess: false }, annotations);
const batch = (storageAccountReference: object) =>
  object('batch.azure.com/v20240701', 'BatchAccount', 'jobs', { location: 'uksouth', owner: { name: 'rg' }, autoStorage: { storageAccountReference } });

describe('the account that an ARM id names', () => {
  const field = ['spec.autoStorage.storageAccountReference'];

  test.each([
    ['with a name that is unique in Azure, in a group of an unknown subscription', { name: 'rg' }, field],
    ['with the whole id', { armId: GROUP }, field],
    ['of another subscription', { armId: GROUP.replace('1111', '9999') }, []],
  ])('%s', (_, owner, expected) => {
    expect(foundBy('batch-storage-key', account(owner), batch({ armId: ACCOUNT }))).toEqual(expected);
  });

  test('another name', () => {
    expect(foundBy('batch-storage-key', account({ name: 'rg' }), batch({ armId: `${ACCOUNT}2` }))).toEqual([]);
  });
});

describe('the subnet of a private link service', () => {
  const network = object('network.azure.com/v20250301', 'VirtualNetwork', 'net', { owner: { armId: GROUP }, location: 'uksouth' });
  const subnet = (more: object, annotations = {}) =>
    object('network.azure.com/v20250301', 'VirtualNetworksSubnet', 'links', { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24', ...more }, annotations);
  const service = object('network.azure.com/v20250301', 'PrivateLinkService', 'service',
    { owner: { armId: GROUP }, location: 'uksouth', ipConfigurations: [{ name: 'one', subnet: { reference: { armId: SUBNET } } }] });
  const field = ['spec.ipConfigurations[0].subnet.reference'];

  test.each<[string, ReturnType<typeof subnet>, string[]]>([
    ['has policies by default', subnet({}), field],
    ['has none', subnet({ privateLinkServiceNetworkPolicies: 'Disabled' }), []],
    ['is managed by others, who may have set it', subnet({}, { 'serviceoperator.azure.com/reconcile-policy': 'skip' }), []],
    ['is adopted, and may have it already', subnet({}, { 'aso.cdk8s.io/adopt': 'IfPresent' }), []],
  ])('%s', (_, one, expected) => {
    expect(foundBy('private-link-service-policies', network, one, service)).toEqual(expected);
  });
});

test('owners that name each other by ARM ids end the search', () => {
  const rule = (name: string, other: string) => object('servicebus.azure.com/v1api20240101', 'NamespacesAuthorizationRule', name,
    { owner: { armId: `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus/AuthorizationRules/${other}` }, rights: ['Send'], operatorSpec: { secrets: { primaryKey: { name: 'a', key: 'b' } } } });
  expect(foundBy('key-switched-off', rule('a', 'b'), rule('b', 'a'))).toEqual([]);
});
