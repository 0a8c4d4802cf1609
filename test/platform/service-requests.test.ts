// Requests as the platform's charts take them: refused in their own words, and names as the charts make them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { accept } from '../../scripts/accept-platform/accept';
import { selfservice } from '../../scripts/accept-platform/selfservice';

const { inputs } = JSON.parse(readFileSync(join(__dirname, '../fixtures/platform/selfservice/whole-service.json'), 'utf8'));

function objects(request: object, others: object = {}): any[] {
  const app = new App();
  const chart = new Chart(app, 'case');
  selfservice({ ...inputs, ...others, request }, chart);
  app.synthYaml();
  return chart.toJson();
}

const named = (made: any[], kind: string) => made.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

test.each([
  'subscriptionId',
  'sharedResourceGroup',
  'serviceBusNamespace',
  'databaseResourceGroup',
  'postgresServer',
  'keyVaultName',
  'identityPrefix',
  'storageAccountPrefix',
  'storageAccountSku',
  'privateEndpointPrefix',
  'privateEndpointSubnet',
  'virtualNetworkResourceGroup',
  'virtualNetwork',
  'privateDnsSubscriptionId',
  'privateDnsResourceGroups',
  'storageDataWriterRoleDefinitionId',
  'namespace',
  'teamResourceGroup',
  'serviceCode',
  'serviceName',
  'clusterName',
  'clusterOidcIssuerUrl',
  'environment',
  'platformNamespace',
])('%s is missed, and empty as well', async (field) => {
  const { [field]: _, ...without } = inputs;
  const rejected = { field, why: 'required' };
  expect(await accept({ name: field, scope: 'service', inputs: without, rejected })).toEqual([]);
  expect(await accept({ name: field, scope: 'service', inputs: { ...inputs, [field]: null }, rejected })).toEqual([]);
  if (field !== 'privateDnsResourceGroups') {
    expect(await accept({ name: field, scope: 'service', inputs: { ...inputs, [field]: '' }, rejected })).toEqual([]);
  }
});

test.each<[string, object]>([
  ['queues[0].name', { queues: [{ roles: [] }] }],
  ['queues[1].roles[0]', { queues: [{ name: 'a' }, { name: 'b', roles: ['TopicSender'] }] }],
  ['topics[0].roles[0]', { topics: [{ name: 'a', roles: ['QueueSender'] }] }],
  ['topics[0].subscriptions[0].name', { topics: [{ name: 'a', subscriptions: [{}] }] }],
  [
    'topics[0].subscriptions[1].rules[0].sqlExpression',
    { topics: [{ name: 'a', subscriptions: [{ name: 'b' }, { name: 'c', rules: [{ name: 'd' }] }] }] },
  ],
  [
    'topics[0].subscriptions[1].rules[0].correlation',
    { topics: [{ name: 'a', subscriptions: [{ name: 'b' }, { name: 'c', rules: [{ name: 'd' }] }] }] },
  ],
  [
    'topics[0].subscriptions[1].rules[0]',
    { topics: [{ name: 'a', subscriptions: [{ name: 'b' }, { name: 'c', rules: [{ name: 'd' }] }] }] },
  ],
  [
    'topics[0].subscriptions[0].rules[0].name',
    { topics: [{ name: 'a', subscriptions: [{ name: 'c', rules: [{ sqlExpression: '1=1' }] }] }] },
  ],
  ['storageAccounts[0].name', { storageAccounts: [{ name: 'no-hyphen' }] }],
  ['storageAccounts[0].name', { storageAccounts: [{ name: 'tencharact' }] }],
  ['storageAccounts[0].name', { storageAccounts: [{ name: 'tencharact', owned: false, roles: ['DataReader'] }] }],
  ['storageAccounts[0].name', { storageAccounts: [{}] }],
  ['storageAccounts[0].roles[1]', { storageAccounts: [{ name: 'a', roles: ['DataReader', 'DataOwner'] }] }],
  ['storageAccounts[0].location', { storageAccounts: [{ name: 'a', location: 'northeurope' }] }],
  [
    'storageAccounts[0].blobService.changeFeed.retentionInDays',
    { storageAccounts: [{ name: 'a', blobService: { changeFeed: { enabled: true } } }] },
  ],
  [
    'storageAccounts[0].blobService.restorePolicy.days',
    { storageAccounts: [{ name: 'a', blobService: { restorePolicy: { enabled: true } } }] },
  ],
  ['storageAccounts[0].containers[0].name', { storageAccounts: [{ name: 'a', containers: [{}] }] }],
  ['database.charset', { database: { name: 'a', collation: 'C' } }],
  ['database.collation', { database: { name: 'a', charset: 'UTF8' } }],
  ['database.name', { database: { charset: 'UTF8', collation: 'C' } }],
  [
    'privateDnsRecords[0].location',
    { privateDnsRecords: [{ storageAccount: 'a', location: 'northeurope', addresses: { blob: '10.0.0.1' } }] },
  ],
  ['privateDnsRecords[0].storageAccount', { privateDnsRecords: [{ addresses: { blob: '10.0.0.1' } }] }],
  ['privateDnsRecords[0].storageAccount', { privateDnsRecords: [{ storageAccount: 'tencharact', addresses: { blob: '10.0.0.1' } }] }],
  ['identity.federatedServiceAccounts[0].name', { identity: { federatedServiceAccounts: [{ namespace: 'a' }] } }],
  ['queue', { queue: [] }],
  ['queues', { queues: { name: 'a' } }],
])('%s is refused by its name', async (field, request) => {
  expect(await accept({ name: field, scope: 'service', inputs: { ...inputs, request }, rejected: { field, why: '' } })).toEqual([]);
});

test('names are in lower-case letters', () => {
  const made = objects({
    identity: {},
    queues: [{ name: 'Intake', roles: ['QueueSender'] }],
    topics: [{ name: 'News', subscriptions: [{ name: 'All', rules: [{ name: 'Any', sqlExpression: '1=1' }] }] }],
    storageAccounts: [{ name: 'DOCS', containers: [{ name: 'Letters' }], tables: ['Rows'], fileShares: [{ name: 'Files' }] }],
    database: { name: 'Main', charset: 'UTF8', collation: 'C' },
  }, { identityPrefix: 'TSTPLTINFMID1401', storageAccountPrefix: 'TSTPLTINFST1401', serviceName: 'Agri-Permits' });
  for (const { metadata, spec } of made) {
    expect(metadata.name).toBe(metadata.name.toLowerCase());
    expect(spec.azureName ?? '').toBe((spec.azureName ?? '').toLowerCase());
  }
});

test('names of roles are cut, and end with the place of the role', () => {
  const name = 'a-queue-with-a-name-that-has-more-characters-than-anybody-would-like-to-read-in-a-list-of-queues';
  const made = named(objects({ queues: [{ name, roles: ['QueueReceiver', 'QueueSender'] }] }), 'RoleAssignment');
  const uncut = (role: string) => `tstpltinfmid1401-agri-permits-intake-agri-permits-${name}-${role}-rbac`;
  expect(made).toEqual([`${uncut('queuereceiver').slice(0, 115)}-0`, `${uncut('queuesender').slice(0, 115)}-1`]);
});

test('an account in the other region: its endpoints are there, its zone group as well', () => {
  const made = objects({ storageAccounts: [{ name: 'west', location: 'ukwest' }] });
  const of = (kind: string) => made.filter((object) => object.kind === kind).map(({ spec }) => spec);
  expect([...of('StorageAccount'), ...of('PrivateEndpoint')].map(({ location }) => location)).toEqual(['ukwest', 'ukwest', 'ukwest']);
  expect(of('PrivateEndpointsPrivateDnsZoneGroup')[0].privateDnsZoneConfigs[0].privateDnsZoneReference.armId).toContain('/dnspltukw01/');
});

test('a record of an account in the other region is in the zone of this one', () => {
  const [record] = objects({ privateDnsRecords: [{ storageAccount: 'west', location: 'ukwest', addresses: { blob: '10.0.0.1' } }] });
  expect(record.spec.owner.armId).toContain('/dnspltuks01/');
});

test('annotations are on what takes them', () => {
  const made = objects({ ...inputs.request, annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } });
  const plain = made.filter(({ metadata }) => metadata.annotations?.['serviceoperator.azure.com/reconcile-policy'] !== 'skip').map(({ kind }) => kind);
  expect([...new Set(plain)].sort()).toEqual(['FederatedIdentityCredential', 'NamespacesTopicsSubscription']);
});

test('what another service has is not changed', () => {
  const made = objects({
    queues: [{ name: 'a', owned: false, settings: { maxDeliveryCount: 3 } }],
    storageAccounts: [
      { name: 'b', owned: false, accessTier: 'Cool', blobService: { isVersioningEnabled: true }, containers: [{ name: 'ccc' }] },
    ],
  });
  expect(made.map(({ kind }) => kind)).toEqual(['StorageAccountsBlobServicesContainer']);
});
