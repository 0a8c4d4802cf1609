import { App, Chart, Duration, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { PRIVATE_LINK } from '../../src/azure/private-link';
import { Catalog } from '../../src/catalog';
import { Defaults } from '../../src/core';
import { Alerts, Diagnostics, PrivateEndpoints } from '../../src/patterns';
import { ManagedEnvironment } from '../../src/services/app';
import { Account } from '../../src/services/cognitiveservices';
import { Namespace as EventHubs, RuleRights } from '../../src/services/eventhub';
import { ActionGroup, ConditionTimeAggregation, MetricCriteriaOperator, MetricCriteriaTimeAggregation } from '../../src/services/insights';
import { PrivateDnsZone, PrivateLinkService, VirtualNetwork } from '../../src/services/network';
import { Workspace } from '../../src/services/operationalinsights';
import { ResourceGroup } from '../../src/services/resources';
import { SkuName, StorageAccount, StorageAccountKind } from '../../src/services/storage';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: any;
}

function shop() {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  Defaults.of(chart).use({ location: 'uksouth' });
  const owner = new ResourceGroup(chart, 'group');
  const account = new StorageAccount(chart, 'data', { owner, azureName: 'shopdata', kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS } });
  const network = new VirtualNetwork(chart, 'net', { owner, addressSpace: { addressPrefixes: ['10.20.0.0/16'] } });
  return { chart, owner, account, network, subnet: network.addSubnet('private') };
}

const objects = (chart: Chart) => Testing.synth(chart) as Manifest[];
const ofKind = (chart: Chart, kind: string) => objects(chart).filter((object) => object.kind === kind);

describe('private endpoints', () => {
  test('lead to a part of a resource, and keep its records in a zone that is linked to the network', () => {
    const { chart, owner, account, network, subnet } = shop();
    const endpoints = new PrivateEndpoints(chart, 'private', { owner, network, subnet });
    endpoints.connect(account);
    endpoints.connect(account, { groupId: 'queue' });
    const [blob, queue] = ofKind(chart, 'PrivateEndpoint');
    expect(blob!.spec).toMatchObject({
      location: 'uksouth',
      privateLinkServiceConnections: [{ name: 'data-blob', groupIds: ['blob'], privateLinkServiceReference: { kind: 'StorageAccount', name: account.name } }],
      subnet: { reference: { name: subnet.name } },
    });
    expect(queue!.spec.privateLinkServiceConnections[0].groupIds).toEqual(['queue']);
    const zones = ofKind(chart, 'PrivateDnsZone');
    expect(zones.map(({ spec }) => [spec.azureName, spec.location])).toEqual([
      ['privatelink.blob.core.windows.net', 'global'], ['privatelink.queue.core.windows.net', 'global'],
    ]);
    expect(ofKind(chart, 'PrivateDnsZonesVirtualNetworkLink').map(({ spec }) => spec.virtualNetwork.reference.name)).toEqual([network.name, network.name]);
    const [group] = ofKind(chart, 'PrivateEndpointsPrivateDnsZoneGroup');
    expect(group!.spec).toMatchObject({
      azureName: 'default', privateDnsZoneConfigs: [{ name: 'privatelink-blob-core-windows-net', privateDnsZoneReference: { name: zones[0]!.metadata.name } }],
    });
  });

  test('use a zone that exists', () => {
    const { chart, owner, account, network, subnet } = shop();
    const zone = PrivateDnsZone.fromName('blob-zone');
    new PrivateEndpoints(chart, 'private', { owner, network, subnet, zones: { 'privatelink.blob.core.windows.net': zone } }).connect(account, { groupId: 'Blob' });
    expect(ofKind(chart, 'PrivateDnsZone')).toEqual([]);
    expect(ofKind(chart, 'PrivateEndpointsPrivateDnsZoneGroup')[0]!.spec.privateDnsZoneConfigs[0].privateDnsZoneReference.name).toBe('blob-zone');
  });

  test('of other kinds and parts are refused', () => {
    const { chart, owner, account, network, subnet } = shop();
    const endpoints = new PrivateEndpoints(chart, 'private', { owner, network, subnet });
    expect(() => endpoints.connect(account, { groupId: 'blobs' })).toThrow("a StorageAccount has no part 'blobs'. Did you mean 'blob'? It has: blob, queue, table, file, dfs, web, blob_secondary");
    expect(() => endpoints.connect(network)).toThrow('[shop/private] connect: the parts of a VirtualNetwork (shop/net) are not known here. Give groupId and zones.');
  });

  test('are known for kinds of the catalog, with their types in Azure', () => {
    const types = Catalog.default().allKinds.map(({ group, kind, latest }) => `${group}/${kind} ${latest.facts.arm?.type.toLowerCase()}`);
    expect(Object.entries(PRIVATE_LINK).filter(([kind, { type }]) => !types.includes(`${kind} ${type}`))).toEqual([]);
  });

  test('have all zones in which Azure looks for the names of the resource', () => {
    const { chart, owner, network, subnet } = shop();
    const endpoints = new PrivateEndpoints(chart, 'private', { owner, network, subnet });
    endpoints.connect(new Account(chart, 'models', { owner, azureName: 'models', kind: 'OpenAI', sku: { name: 'S0' } }));
    endpoints.connect(new ManagedEnvironment(chart, 'apps', { owner, location: 'West Europe' }));
    const configs = ofKind(chart, 'PrivateEndpointsPrivateDnsZoneGroup').map(({ spec }) => spec.privateDnsZoneConfigs.map(({ name }: { name: string }) => name));
    expect(configs).toEqual([
      ['privatelink-cognitiveservices-azure-com', 'privatelink-openai-azure-com', 'privatelink-services-ai-azure-com'],
      ['privatelink-westeurope-azurecontainerapps-io'],
    ]);
  });

  test('take zones and parts that are not known here', () => {
    const { chart, owner, network, subnet, account } = shop();
    const endpoints = new PrivateEndpoints(chart, 'private', { owner, network, subnet });
    endpoints.connect(account, { zones: ['privatelink.blob.core.chinacloudapi.cn'] });
    endpoints.connect(new PrivateLinkService(chart, 'own', { owner }), { groupId: 'own', zones: ['own.internal'] });
    expect(ofKind(chart, 'PrivateDnsZone').map(({ spec }) => spec.azureName)).toEqual(['privatelink.blob.core.chinacloudapi.cn', 'own.internal']);
  });
});

test('resources of one id in several places do not collide', () => {
  const { chart, owner } = shop();
  const diagnostics = new Diagnostics(chart, 'diagnostics', { workspace: new Workspace(chart, 'logs', { owner }) });
  const settings = ['one', 'two'].map((id) => diagnostics.sendFrom(new VirtualNetwork(new Construct(chart, id), 'net', { owner, addressSpace: { addressPrefixes: [] } })));
  expect(settings.map(({ node }) => node.path)).toEqual(['shop/diagnostics/one-net-diagnostics', 'shop/diagnostics/two-net-diagnostics']);
});

test('diagnostics: all logs, or what is chosen', () => {
  const { chart, owner, account } = shop();
  const workspace = new Workspace(chart, 'logs', { owner });
  const diagnostics = new Diagnostics(chart, 'diagnostics', { workspace });
  diagnostics.sendFrom(account.blobService);
  diagnostics.sendFrom(account.blobService, { name: 'writes', categories: ['StorageWrite'], metrics: true });
  const [all, writes] = ofKind(chart, 'DiagnosticSetting').map(({ spec }) => spec);
  expect(all).toMatchObject({ azureName: 'diagnostics', owner: { kind: 'StorageAccountsBlobService' }, logs: [{ categoryGroup: 'allLogs', enabled: true }] });
  expect(all).not.toHaveProperty('metrics');
  expect(writes).toMatchObject({ azureName: 'writes', logs: [{ category: 'StorageWrite', enabled: true }], metrics: [{ category: 'AllMetrics', enabled: true }] });
  expect(() => diagnostics.sendFrom(account, { categoryGroups: [] })).toThrow('[shop/data] Diagnostics.sendFrom: there is nothing to send.');
});

test('alerts: a metric of a resource, with the group that is notified', () => {
  const { chart, owner, account } = shop();
  const notify = new ActionGroup(chart, 'people', { owner, enabled: true, groupShortName: 'people' });
  const condition = { aggregation: MetricCriteriaTimeAggregation.AVERAGE, operator: MetricCriteriaOperator.LESS_THAN, threshold: 99 };
  const alerts = new Alerts(chart, 'alerts', { owner, notify });
  alerts.whenMetric(account, 'unavailable', { metric: 'Availability', ...condition });
  alerts.whenMetric(account, 'slow', { metric: 'SuccessE2ELatency', ...condition, window: Duration.hours(6), severity: 3 });
  const [first, second] = ofKind(chart, 'MetricAlert').map(({ spec }) => spec);
  expect(first).toMatchObject({
    location: 'global',
    enabled: true,
    severity: 2,
    windowSize: 'PT5M',
    evaluationFrequency: 'PT5M',
    scopesReferences: [{ kind: 'StorageAccount', name: account.name }],
    actions: [{ actionGroupReference: { name: notify.name } }],
  });
  expect(second).toMatchObject({ severity: 3, windowSize: 'PT6H', evaluationFrequency: 'PT1H' });
});

test('diagnostics go to every destination of Azure', () => {
  const { chart, owner, account } = shop();
  const bus = new EventHubs(chart, 'bus', { owner });
  const stream = bus.addAuthorizationRule('logs', { rights: [RuleRights.LISTEN, RuleRights.MANAGE, RuleRights.SEND] });
  const all = new Diagnostics(chart, 'all', {
    workspace: new Workspace(chart, 'logs', { owner }), dedicatedTables: true, archive: account, stream, eventHubName: 'audit',
  });
  all.sendFrom(account.blobService, { categoryGroups: ['audit'] });
  expect(ofKind(chart, 'DiagnosticSetting')[0]!.spec).toMatchObject({
    logAnalyticsDestinationType: 'Dedicated',
    workspaceReference: { kind: 'Workspace' },
    storageAccountReference: { kind: 'StorageAccount', name: account.name },
    eventHubAuthorizationRuleReference: { kind: 'NamespacesAuthorizationRule', name: stream.name },
    eventHubName: 'audit',
  });
  expect(() => new Diagnostics(chart, 'none', {})).toThrow('[shop/none] Diagnostics: there is no destination. Give workspace, archive, stream or partner.');
  expect(() => new Diagnostics(chart, 'hub', { archive: account, eventHubName: 'audit' })).toThrow('eventHubName is without stream');
  expect(() => new Diagnostics(chart, 'tables', { archive: account, dedicatedTables: true })).toThrow('dedicatedTables is without a workspace');
});

describe('alerts', () => {
  const condition = { metric: 'UsedCapacity', aggregation: MetricCriteriaTimeAggregation.AVERAGE, operator: MetricCriteriaOperator.GREATER_THAN, threshold: 5 };

  test('watch values of dimensions, each on its own, and several metrics together', () => {
    const { chart, owner, account } = shop();
    const alerts = new Alerts(chart, 'alerts', { owner });
    alerts.whenMetric(account, 'errors', { ...condition, metric: 'Transactions', dimensions: { ResponseType: ['ServerOtherError'], ApiName: ['*'] } });
    alerts.whenMetrics(account, 'full', { conditions: [condition, { ...condition, metric: 'Ingress', metricNamespace: 'own' }], severity: 1 });
    const criteria = ofKind(chart, 'MetricAlert').map(({ spec }) => spec.criteria.microsoftAzureMonitorSingleResourceMultipleMetricCriteria.allOf);
    expect(criteria[0]).toEqual([expect.objectContaining({
      name: 'errors',
      dimensions: [{ name: 'ResponseType', operator: 'Include', values: ['ServerOtherError'] }, { name: 'ApiName', operator: 'Include', values: ['*'] }],
    })]);
    expect(criteria[1]).toEqual([
      expect.objectContaining({ name: 'full-1', metricName: 'UsedCapacity' }),
      expect.objectContaining({ name: 'full-2', metricName: 'Ingress', metricNamespace: 'own' }),
    ]);
    expect(() => alerts.whenMetrics(account, 'none', { conditions: [] })).toThrow('[shop/data] Alerts.whenMetrics: an alert has one to 5 conditions, not 0.');
  });

  test('count the rows of a query, or measure a column', () => {
    const { chart, owner } = shop();
    const people = new ActionGroup(chart, 'people', { owner, enabled: true, groupShortName: 'people' });
    const alerts = new Alerts(chart, 'alerts', { owner, notify: people });
    const logs = new Workspace(chart, 'logs', { owner });
    alerts.whenQuery(logs, 'errors', { query: 'AppExceptions' });
    alerts.whenQuery(logs, 'slow', {
      query: 'AppRequests', threshold: 900, measure: { column: 'DurationMs', aggregation: ConditionTimeAggregation.AVERAGE }, dimensions: { AppRoleName: ['*'] },
    });
    const [errors, slow] = ofKind(chart, 'ScheduledQueryRule').map(({ spec }) => spec);
    expect(errors).toMatchObject({
      location: 'uksouth',
      windowSize: 'PT5M',
      scopesReferences: [{ kind: 'Workspace', name: logs.name }],
      actions: { actionGroupsReferences: [{ name: people.name }] },
      criteria: { allOf: [{ query: 'AppExceptions', operator: 'GreaterThan', threshold: 0, timeAggregation: 'Count' }] },
    });
    expect(slow.criteria.allOf[0]).toMatchObject({
      metricMeasureColumn: 'DurationMs', timeAggregation: 'Average', dimensions: [{ name: 'AppRoleName', operator: 'Include', values: ['*'] }],
    });
  });
});
