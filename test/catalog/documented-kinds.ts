/** Kinds of which every property of the newest version has a text in catalog/overlays/properties: those in most use. */
export const DOCUMENTED_KINDS: Readonly<Record<string, readonly string[]>> = {
  resources: ['ResourceGroup'],
  storage: [
    'StorageAccount', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer', 'StorageAccountsFileService',
    'StorageAccountsFileServicesShare', 'StorageAccountsManagementPolicy', 'StorageAccountsQueueService',
    'StorageAccountsQueueServicesQueue', 'StorageAccountsTableService', 'StorageAccountsTableServicesTable',
  ],
  network: [
    'VirtualNetwork', 'VirtualNetworksSubnet', 'NetworkSecurityGroup', 'NetworkSecurityGroupsSecurityRule', 'PublicIPAddress',
    'NatGateway', 'RouteTable', 'RouteTablesRoute', 'PrivateEndpoint', 'PrivateEndpointsPrivateDnsZoneGroup', 'PrivateDnsZone',
    'PrivateDnsZonesVirtualNetworkLink', 'PrivateDnsZonesARecord', 'PrivateDnsZonesCNAMERecord', 'DnsZone', 'DnsZonesARecord',
    'VirtualNetworksVirtualNetworkPeering',
  ],
  containerservice: ['ManagedCluster', 'ManagedClustersAgentPool'],
  containerregistry: ['Registry'],
  keyvault: ['Vault'],
  managedidentity: ['UserAssignedIdentity', 'FederatedIdentityCredential'],
  authorization: ['RoleAssignment', 'RoleDefinition'],
  dbforpostgresql: [
    'FlexibleServer', 'FlexibleServersDatabase', 'FlexibleServersConfiguration', 'FlexibleServersFirewallRule',
    'FlexibleServersAdministrator',
  ],
  dbformysql: ['FlexibleServer', 'FlexibleServersDatabase', 'FlexibleServersFirewallRule'],
  cache: ['Redis', 'RedisFirewallRule', 'RedisEnterprise', 'RedisEnterpriseDatabase'],
  servicebus: [
    'Namespace', 'NamespacesQueue', 'NamespacesTopic', 'NamespacesTopicsSubscription', 'NamespacesTopicsSubscriptionsRule',
    'NamespacesAuthorizationRule',
  ],
  eventhub: ['Namespace', 'NamespacesEventhub', 'NamespacesEventhubsConsumerGroup'],
  documentdb: ['DatabaseAccount', 'SqlDatabase', 'SqlDatabaseContainer', 'SqlRoleAssignment', 'MongodbDatabase'],
  sql: ['Server', 'ServersDatabase', 'ServersFirewallRule', 'ServersElasticPool'],
  insights: ['Component', 'DiagnosticSetting', 'MetricAlert', 'ActionGroup', 'ScheduledQueryRule'],
  operationalinsights: ['Workspace'],
  app: ['ManagedEnvironment', 'ContainerApp'],
  web: ['ServerFarm', 'Site'],
  eventgrid: ['Topic', 'EventSubscription'],
  compute: ['VirtualMachine', 'VirtualMachineScaleSet', 'Disk'],
};
