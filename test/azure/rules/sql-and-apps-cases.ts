import { of, WARNING, type Case, type Parent } from './case';

const server = (name: string, location = 'uksouth'): Parent => ({ kind: 'sql.azure.com/Server', name, spec: { location } });
const environment = (spec: object): Partial<Case> => ({ refersTo: { kind: 'app.azure.com/ManagedEnvironment', name: 'env', spec } });
const subnet = (spec: object): Partial<Case> => ({ refersTo: { kind: 'network.azure.com/VirtualNetworksSubnet', name: 'apps', spec } });
const mounts = (...volumes: object[]) => ({ template: { containers: [{ volumeMounts: [{ volumeName: 'data' }] }], volumes } });
const probes = (...list: object[]) => ({ template: { containers: [{ probes: list }] } });
const scale = (secrets: object[]) => ({ configuration: { secrets }, template: { scale: { rules: [{ custom: { auth: [{ secretRef: 'bus' }] } }] } } });
const network = (spec: object) => ({ vnetConfiguration: { infrastructureSubnetReference: {} }, ...spec });
const NAMED: readonly (readonly [kind: string, name: string])[] = [
  ['keyvault.azure.com/Vault', '1shop'], ['keyvault.azure.com/Vault', 'shop--vault'], ['documentdb.azure.com/DatabaseAccount', 'x'.repeat(45)],
  ['app.azure.com/ContainerApp', 'Web'], ['app.azure.com/Job', 'nightly--job'], ['dbforpostgresql.azure.com/FlexibleServer', 'Shop'],
  ['sql.azure.com/Server', 'Shop'], ['storage.azure.com/StorageAccountsBlobServicesContainer', 'a--b'],
  ['storage.azure.com/StorageAccountsQueueServicesQueue', 'orders-'], ['storage.azure.com/StorageAccountsTableServicesTable', 'tables'],
  ['servicebus.azure.com/Namespace', 'shop-sb'], ['cache.azure.com/RedisFirewallRule', 'office-1'], ['network.azure.com/VirtualNetwork', '-net'], ['compute.azure.com/VirtualMachine', 'x'.repeat(65)],
];

export const SQL_AND_APPS_CASES: readonly Case[] = [
  ...NAMED.flatMap(([kind, name]) => of(kind, [['resource-name', {}, 'azureName', {}, { name }]])),
  ...of('sql.azure.com/ServersDatabase', [
    ['sql-collation', { collation: 'utf8mb4_general_ci' }, 'collation', { collation: 'Latin1_General_100_CI_AS_SC_UTF8' }],
    ['sql-collation', { collation: 'German' }, 'collation', { collation: 'Latin1_General_100_BIN2_UTF8' }],
    ['sql-pool-size', { elasticPoolReference: {}, sku: { name: 'S0' } }, 'sku.name', { elasticPoolReference: {}, sku: { name: 'ElasticPool' } }],
    ['sql-pool-server', { elasticPoolReference: {} }, 'elasticPoolReference', {}, { owner: server('one'), refersTo: { kind: 'sql.azure.com/ServersElasticPool', name: 'pool', spec: {}, owner: server('two') } }],
    ['sql-source', { createMode: 'Copy' }, 'sourceDatabaseReference', { createMode: 'Copy', sourceDatabaseReference: {} }],
    ['sql-source', { createMode: 'PointInTimeRestore', sourceDatabaseReference: {} }, 'restorePointInTime', { createMode: 'Default' }],
    ['sql-free', { useFreeLimit: true, sku: { name: 'S0' } }, 'useFreeLimit', { useFreeLimit: true, sku: { name: 'GP_S_Gen5' } }],
  ]),
  ...of('sql.azure.com/ServersFailoverGroup', [
    ['sql-failover-partner', { partnerServers: [{ reference: {} }] }, 'partnerServers[0].reference', {}, { owner: server('one', 'UK South'), refersTo: server('two') }],
    ['sql-failover-database', { databasesReferences: [{}] }, 'databasesReferences[0]', {}, { owner: server('one'), refersTo: { kind: 'sql.azure.com/ServersDatabase', name: 'db', spec: {}, owner: server('two') } }],
  ]),
  ...of('sql.azure.com/Server', [
    ['sql-entra-administrator', { administrators: { sid: 'x' } }, 'administrators.login', { administrators: { loginFromConfig: {}, sidFromConfig: {} } }],
  ]),
  ...of('sql.azure.com/ServersVirtualNetworkRule', [
    ['sql-subnet-endpoint', { virtualNetworkSubnetReference: {} }, 'virtualNetworkSubnetReference', { virtualNetworkSubnetReference: {}, ignoreMissingVnetServiceEndpoint: true }, subnet({})],
  ]),
  ...of('sql.azure.com/ServersIPV6FirewallRule', [
    ['sql-firewall', { startIPv6Address: '2001:db8::ff', endIPv6Address: '2001:db8::1' }, 'endIPv6Address', { startIPv6Address: '2001:db8::1', endIPv6Address: '2001:db8::1' }],
    ['sql-firewall', { startIPv6Address: '10.0.0.1' }, 'startIPv6Address', { startIPv6Address: '::' }],
  ]),
  ...of('app.azure.com/ManagedEnvironment', [
    ['container-environment-profile-type', { workloadProfiles: [{ workloadProfileType: 'D5' }] }, 'workloadProfiles[0].workloadProfileType', { workloadProfiles: [{ workloadProfileType: 'E32' }, { workloadProfileType: 'Flex' }] }, WARNING],
    ['container-environment-zones', { zoneRedundant: true }, 'zoneRedundant', network({ zoneRedundant: true })],
    ['container-environment-zones', { vnetConfiguration: { internal: true } }, 'vnetConfiguration.internal', network({})],
    ['container-environment-subnet', network({ workloadProfiles: [{}] }), 'vnetConfiguration.infrastructureSubnetReference', {}, subnet({ addressPrefix: '10.0.0.0/28' })],
    ['container-environment-subnet', network({}), 'vnetConfiguration.infrastructureSubnetReference', network({ workloadProfiles: [{}] }), subnet({ addressPrefixes: ['10.0.0.0/27'] })],
    ['container-environment-logs', { appLogsConfiguration: { destination: 'log-analytics' } }, 'appLogsConfiguration.logAnalyticsConfiguration', { appLogsConfiguration: { destination: 'azure-monitor' } }],
  ]),
  ...of('app.azure.com/ContainerApp', [
    ['container-app-profile', { environmentReference: {}, workloadProfileName: 'big' }, 'workloadProfileName', { environmentReference: {}, workloadProfileName: 'small' }, environment({ workloadProfiles: [{ name: 'small' }] })],
    ['container-app-volume', mounts({ name: 'other' }), 'template.containers[0].volumeMounts[0].volumeName', mounts({ name: 'data', storageType: 'EmptyDir' })],
    ['container-app-volume', mounts({ name: 'data', storageType: 'AzureFile' }), 'template.volumes[0].storageName', mounts({ name: 'data', storageType: 'AzureFile', storageName: 'files' })],
    ['container-app-scale-secret', scale([]), 'template.scale.rules[0].custom.auth[0].secretRef', scale([{ name: 'bus' }])],
    ['container-app-probe', probes({ type: 'Liveness' }, { type: 'Liveness' }), 'template.containers[0].probes[1].type', probes({ type: 'Liveness' }, { type: 'Readiness' })],
    ['container-app-probe', probes({ periodSeconds: 300 }), 'template.containers[0].probes[0].periodSeconds', probes({ periodSeconds: 240, initialDelaySeconds: 60 })],
  ]),
];
