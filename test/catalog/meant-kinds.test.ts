import { Catalog, meantKinds } from '../../src/catalog';
import { kindFix, kindQuestion } from '../../src/catalog/kind-advice';

const catalog = Catalog.default();
const meant = (kind: string, group?: string) => meantKinds({ group, kind }, catalog).map((one) => `${one.group}/${one.kind}`);
const armTypes = (kind: string) => meantKinds({ kind }, catalog).map(({ latest }) => latest.facts.arm?.type.toLowerCase());

/**
 * Terraform's names and the ARM types that its provider manages with them, as its documentation has them:
 * https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs
 */
const OF_TERRAFORM: readonly (readonly [name: string, armType: string])[] = [
  ['azurerm_resource_group', 'Microsoft.Resources/resourceGroups'],
  ['azurerm_virtual_network', 'Microsoft.Network/virtualNetworks'],
  ['azurerm_subnet', 'Microsoft.Network/virtualNetworks/subnets'],
  ['azurerm_network_security_group', 'Microsoft.Network/networkSecurityGroups'],
  ['azurerm_network_security_rule', 'Microsoft.Network/networkSecurityGroups/securityRules'],
  ['azurerm_public_ip', 'Microsoft.Network/publicIPAddresses'],
  ['azurerm_nat_gateway', 'Microsoft.Network/natGateways'],
  ['azurerm_lb', 'Microsoft.Network/loadBalancers'],
  ['azurerm_lb_nat_rule', 'Microsoft.Network/loadBalancers/inboundNatRules'],
  ['azurerm_private_endpoint', 'Microsoft.Network/privateEndpoints'],
  ['azurerm_private_dns_zone', 'Microsoft.Network/privateDnsZones'],
  ['azurerm_private_dns_zone_virtual_network_link', 'Microsoft.Network/privateDnsZones/virtualNetworkLinks'],
  ['azurerm_private_dns_a_record', 'Microsoft.Network/privateDnsZones/A'],
  ['azurerm_dns_zone', 'Microsoft.Network/dnszones'],
  ['azurerm_dns_a_record', 'Microsoft.Network/dnszones/A'],
  ['azurerm_dns_txt_record', 'Microsoft.Network/dnszones/TXT'],
  ['azurerm_route_table', 'Microsoft.Network/routeTables'],
  ['azurerm_virtual_network_peering', 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings'],
  ['azurerm_application_gateway', 'Microsoft.Network/applicationGateways'],
  ['azurerm_bastion_host', 'Microsoft.Network/bastionHosts'],
  ['azurerm_firewall', 'Microsoft.Network/azureFirewalls'],
  ['azurerm_firewall_policy', 'Microsoft.Network/firewallPolicies'],
  ['azurerm_storage_account', 'Microsoft.Storage/storageAccounts'],
  ['azurerm_storage_container', 'Microsoft.Storage/storageAccounts/blobServices/containers'],
  ['azurerm_storage_share', 'Microsoft.Storage/storageAccounts/fileServices/shares'],
  ['azurerm_storage_queue', 'Microsoft.Storage/storageAccounts/queueServices/queues'],
  ['azurerm_storage_table', 'Microsoft.Storage/storageAccounts/tableServices/tables'],
  ['azurerm_storage_management_policy', 'Microsoft.Storage/storageAccounts/managementPolicies'],
  ['azurerm_key_vault', 'Microsoft.KeyVault/vaults'],
  ['azurerm_kubernetes_cluster', 'Microsoft.ContainerService/managedClusters'],
  ['azurerm_kubernetes_cluster_node_pool', 'Microsoft.ContainerService/managedClusters/agentPools'],
  ['azurerm_container_registry', 'Microsoft.ContainerRegistry/registries'],
  ['azurerm_container_app', 'Microsoft.App/containerApps'],
  ['azurerm_container_app_environment', 'Microsoft.App/managedEnvironments'],
  ['azurerm_user_assigned_identity', 'Microsoft.ManagedIdentity/userAssignedIdentities'],
  ['azurerm_federated_identity_credential', 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials'],
  ['azurerm_role_assignment', 'Microsoft.Authorization/roleAssignments'],
  ['azurerm_role_definition', 'Microsoft.Authorization/roleDefinitions'],
  ['azurerm_mssql_server', 'Microsoft.Sql/servers'],
  ['azurerm_mssql_firewall_rule', 'Microsoft.Sql/servers/firewallRules'],
  ['azurerm_mssql_elasticpool', 'Microsoft.Sql/servers/elasticPools'],
  ['azurerm_postgresql_flexible_server', 'Microsoft.DBforPostgreSQL/flexibleServers'],
  ['azurerm_postgresql_flexible_server_database', 'Microsoft.DBforPostgreSQL/flexibleServers/databases'],
  ['azurerm_postgresql_flexible_server_firewall_rule', 'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules'],
  ['azurerm_mysql_flexible_server', 'Microsoft.DBforMySQL/flexibleServers'],
  ['azurerm_mysql_flexible_database', 'Microsoft.DBforMySQL/flexibleServers/databases'],
  ['azurerm_cosmosdb_account', 'Microsoft.DocumentDB/databaseAccounts'],
  ['azurerm_cosmosdb_sql_database', 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases'],
  ['azurerm_cosmosdb_sql_container', 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers'],
  ['azurerm_cosmosdb_mongo_collection', 'Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections'],
  ['azurerm_redis_cache', 'Microsoft.Cache/redis'],
  ['azurerm_redis_firewall_rule', 'Microsoft.Cache/redis/firewallRules'],
  ['azurerm_servicebus_namespace', 'Microsoft.ServiceBus/namespaces'],
  ['azurerm_servicebus_queue', 'Microsoft.ServiceBus/namespaces/queues'],
  ['azurerm_servicebus_topic', 'Microsoft.ServiceBus/namespaces/topics'],
  ['azurerm_servicebus_subscription', 'Microsoft.ServiceBus/namespaces/topics/subscriptions'],
  ['azurerm_eventhub_namespace', 'Microsoft.EventHub/namespaces'],
  ['azurerm_eventhub', 'Microsoft.EventHub/namespaces/eventhubs'],
  ['azurerm_eventhub_consumer_group', 'Microsoft.EventHub/namespaces/eventhubs/consumerGroups'],
  ['azurerm_eventgrid_topic', 'Microsoft.EventGrid/topics'],
  ['azurerm_log_analytics_workspace', 'Microsoft.OperationalInsights/workspaces'],
  ['azurerm_application_insights', 'Microsoft.Insights/components'],
  ['azurerm_monitor_diagnostic_setting', 'Microsoft.Insights/diagnosticSettings'],
  ['azurerm_monitor_action_group', 'Microsoft.Insights/actionGroups'],
  ['azurerm_monitor_metric_alert', 'Microsoft.Insights/metricAlerts'],
  ['azurerm_service_plan', 'Microsoft.Web/serverFarms'],
  ['azurerm_linux_web_app', 'Microsoft.Web/sites'],
  ['azurerm_windows_function_app', 'Microsoft.Web/sites'],
  ['azurerm_linux_virtual_machine', 'Microsoft.Compute/virtualMachines'],
  ['azurerm_linux_virtual_machine_scale_set', 'Microsoft.Compute/virtualMachineScaleSets'],
  ['azurerm_managed_disk', 'Microsoft.Compute/disks'],
  ['azurerm_virtual_machine_extension', 'Microsoft.Compute/virtualMachines/extensions'],
  ['azurerm_search_service', 'Microsoft.Search/searchServices'],
  ['azurerm_signalr_service', 'Microsoft.SignalRService/signalR'],
  ['azurerm_api_management', 'Microsoft.ApiManagement/service'],
  ['azurerm_api_management_api', 'Microsoft.ApiManagement/service/apis'],
  ['azurerm_app_configuration', 'Microsoft.AppConfiguration/configurationStores'],
  ['azurerm_cognitive_account', 'Microsoft.CognitiveServices/accounts'],
  ['azurerm_data_factory', 'Microsoft.DataFactory/factories'],
  ['azurerm_machine_learning_workspace', 'Microsoft.MachineLearningServices/workspaces'],
  ['azurerm_synapse_workspace', 'Microsoft.Synapse/workspaces'],
  ['azurerm_synapse_spark_pool', 'Microsoft.Synapse/workspaces/bigDataPools'],
  ['azurerm_cdn_frontdoor_profile', 'Microsoft.Cdn/profiles'],
  ['azurerm_cdn_frontdoor_endpoint', 'Microsoft.Cdn/profiles/afdEndpoints'],
  ['azurerm_iothub', 'Microsoft.Devices/iotHubs'],
  ['azurerm_notification_hub', 'Microsoft.NotificationHubs/namespaces/notificationHubs'],
  ['azurerm_kusto_cluster', 'Microsoft.Kusto/clusters'],
  ['azurerm_batch_account', 'Microsoft.Batch/batchAccounts'],
];

test.each(OF_TERRAFORM)('%s is %s', (name, type) => {
  expect(armTypes(name)[0]).toBe(type.toLowerCase());
});

/** Kinds of Crossplane's providers. */
test.each([
  ['network.azure.upbound.io', 'Subnet', 'network.azure.com/VirtualNetworksSubnet'],
  ['network.azure.m.upbound.io', 'SecurityGroup', 'network.azure.com/NetworkSecurityGroup'],
  ['network.azure.upbound.io', 'DNSARecord', 'network.azure.com/DnsZonesARecord'],
  ['containerservice.azure.upbound.io', 'KubernetesClusterNodePool', 'containerservice.azure.com/ManagedClustersAgentPool'],
  ['storage.azure.upbound.io', 'Account', 'storage.azure.com/StorageAccount'],
  ['cosmosdb.azure.upbound.io', 'SQLDatabase', 'documentdb.azure.com/SqlDatabase'],
  ['sql.azure.upbound.io', 'MSSQLDatabase', 'sql.azure.com/ServersDatabase'],
  ['azure.upbound.io', 'ResourceGroup', 'resources.azure.com/ResourceGroup'],
  ['cache.azure.crossplane.io', 'Redis', 'cache.azure.com/Redis'],
])('Crossplane: %s %s is %s', (group, kind, found) => {
  expect(meant(kind, group)[0]).toBe(found);
});

test.each([
  ['Subnet', 'network.azure.com', 'network.azure.com/VirtualNetworksSubnet'],
  ['subnets', undefined, 'network.azure.com/VirtualNetworksSubnet'],
  ['AgentPool', undefined, 'containerservice.azure.com/ManagedClustersAgentPool'],
  ['BlobContainer', undefined, 'storage.azure.com/StorageAccountsBlobServicesContainer'],
  ['Container', 'storage.azure.com', 'storage.azure.com/StorageAccountsBlobServicesContainer'],
  ['FileShare', undefined, 'storage.azure.com/StorageAccountsFileServicesShare'],
  ['EventHub', undefined, 'eventhub.azure.com/NamespacesEventhub'],
  ['ConsumerGroup', undefined, 'eventhub.azure.com/NamespacesEventhubsConsumerGroup'],
  ['SqlDatabase', 'sql.azure.com', 'sql.azure.com/ServersDatabase'],
  ['DnsARecord', undefined, 'network.azure.com/DnsZonesARecord'],
  ['Microsoft.Network/virtualNetworks/subnets', undefined, 'network.azure.com/VirtualNetworksSubnet'],
  ['virtualNetworks/subnets@2024-05-01', 'Microsoft.Network', 'network.azure.com/VirtualNetworksSubnet'],
  ['storageaccounts.storage.azure.com', undefined, 'storage.azure.com/StorageAccount'],
  ['StorageAccount', 'network.azure.com', 'storage.azure.com/StorageAccount'],
  ['storageaccount', 'storage.azure.com', 'storage.azure.com/StorageAccount'],
  ['StorageAccount', 'storrage.azure.com', 'storage.azure.com/StorageAccount'],
  ['RoleAssigment', 'authorization.azure.com', 'authorization.azure.com/RoleAssignment'],
  ['AKS', undefined, 'containerservice.azure.com/ManagedCluster'],
  ['KeyVault', 'keyvault.azure.com', 'keyvault.azure.com/Vault'],
])('%s of %s is %s', (kind, group, found) => {
  expect(meant(kind, group)).toEqual([found]);
});

test.each([
  ['Deployment', 'apps'],
  ['AKSNodeClass', 'karpenter.azure.com'],
  ['Secret', 'keyvault.azure.com'],
  ['PolicyAssignment', 'authorization.azure.com'],
  ['Account', 'automation.azure.upbound.io'],
  ['Microsoft.Foo/bars', undefined],
  ['Wombat', undefined],
])('%s of %s is nothing here', (kind, group) => {
  expect(meant(kind, group).filter((one) => group !== 'apps' || !one.startsWith('cognitiveservices'))).toEqual([]);
});

test('several kinds are named, three at most', () => {
  expect(meant('Container')).toEqual([
    'documentdb.azure.com/SqlDatabaseContainer',
    'storage.azure.com/StorageAccountsBlobServicesContainer',
  ]);
  expect(meant('User')).toHaveLength(3);
  expect(kindFix({ kind: 'Container', group: 'x.azure.com' }, catalog)).toBe(
    'write the one that is meant: documentdb.azure.com/SqlDatabaseContainer or storage.azure.com/StorageAccountsBlobServicesContainer',
  );
  // The only kind of a service is not what every other name means.
  expect(kindFix({ kind: 'VaultsSecret', group: 'keyvault.azure.com' }, catalog)).toBe('write Vault, its only kind, if that is meant');
  expect(kindQuestion({ kind: 'Queue' }, catalog)).toBe(
    " Did you mean 'servicebus.azure.com/NamespacesQueue' or 'storage.azure.com/StorageAccountsQueueServicesQueue'?",
  );
});

test('every kind is found by its names, and by its ARM type', () => {
  for (const kind of catalog.allKinds) {
    const own = `${kind.group}/${kind.kind}`;
    for (const name of [kind.kind, kind.kind.toUpperCase(), kind.facts.plural]) {
      expect([name, meant(name, kind.group)[0]]).toEqual([name, own]);
    }
    const type = kind.latest.facts.arm?.type;
    if (type !== undefined) expect(armTypes(type)).toEqual([type.toLowerCase()]);
  }
});
