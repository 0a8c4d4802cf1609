import { HUBS, BUS, many, network, of, pool, WARNING, type Case, type Parent } from './case';

const ONE_NETWORK: Parent = { kind: 'network.azure.com/VirtualNetwork', spec: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
const lifecycle = (baseBlob: object) => ({ policy: { rules: [{ name: 'old', definition: { actions: { baseBlob } } }] } });
const dynamicAlert = (minFailingPeriodsToAlert: number, numberOfEvaluationPeriods: number) => ({
  criteria: {
    microsoftAzureMonitorMultipleResourceMultipleMetricCriteria: {
      allOf: [{ dynamicThresholdCriterion: { failingPeriods: { minFailingPeriodsToAlert, numberOfEvaluationPeriods } } }],
    },
  },
});

/** Cases of single members; those of relations are in `cases.ts`. */
export const MORE_CASES: readonly Case[] = [
  ...of('managedidentity.azure.com/UserAssignedIdentity', [
    ['resource-name', {}, 'azureName', {}, { name: 'team!' }],
  ]),
  ...of('network.azure.com/VirtualNetworksSubnet', [
    ['subnet-prefix-size', { addressPrefix: '10.0.0.0/30' }, 'addressPrefix', { addressPrefix: '10.0.0.0/29' }],
    ['subnet-prefix-size', { addressPrefixes: ['10.0.0.0/24', 'fd00:db8::/56'] }, 'addressPrefixes[1]', { addressPrefixes: ['10.0.0.0/24', 'fd00:db8::/64'] }],
    ['network-reserved-range', { addressPrefix: '169.254.1.0/24' }, 'addressPrefix', { addressPrefix: '169.253.1.0/24' }],
    ['subnet-named-delegation', { delegations: [{ serviceName: 'Microsoft.App/environments' }] }, 'delegations', {}, { name: 'GatewaySubnet' }],
    ['subnet-named-group', { networkSecurityGroup: { reference: {} } }, 'networkSecurityGroup', {}, { name: 'AzureFirewallSubnet' }],
  ]),
  ...of('containerservice.azure.com/ManagedCluster', [
    ['identity-extra', { identity: { type: 'SystemAssigned', userAssignedIdentities: [{}] } }, 'identity.type', { identity: { type: 'UserAssigned', userAssignedIdentities: [{}] } }],
    ['identity-missing', { identity: { type: 'UserAssigned' } }, 'identity.userAssignedIdentities', { identity: { type: 'SystemAssigned' } }],
    ['aks-system-linux', pool({ osType: 'Windows' }), 'agentPoolProfiles[0].osType', pool({ mode: 'User', osType: 'Windows' })],
    ['aks-outbound', { networkProfile: { loadBalancerProfile: { idleTimeoutInMinutes: 200 } } }, 'networkProfile.loadBalancerProfile.idleTimeoutInMinutes', { networkProfile: { loadBalancerProfile: { idleTimeoutInMinutes: 4, allocatedOutboundPorts: 1024 } } }],
    ['aks-outbound', { networkProfile: { loadBalancerProfile: { allocatedOutboundPorts: 1001 } } }, 'networkProfile.loadBalancerProfile.allocatedOutboundPorts', { networkProfile: { loadBalancerProfile: { managedOutboundIPs: { count: 2 } } } }],
    ['aks-outbound-subnet', { ...pool({}), networkProfile: { outboundType: 'userDefinedRouting' } }, 'networkProfile.outboundType', { ...pool({ vnetSubnetReference: {} }), networkProfile: { outboundType: 'userDefinedRouting' } }],
    ['aks-local-accounts', { disableLocalAccounts: true }, 'disableLocalAccounts', { disableLocalAccounts: true, aadProfile: { managed: true } }],
    ['aks-azure-rbac', { aadProfile: { managed: false, enableAzureRBAC: true } }, 'aadProfile.enableAzureRBAC', { aadProfile: { managed: true, enableAzureRBAC: true } }],
    ['aks-image-cleaner', { securityProfile: { imageCleaner: { intervalHours: 1 } } }, 'securityProfile.imageCleaner.intervalHours', { securityProfile: { imageCleaner: { intervalHours: 48 } } }],
    ['aks-image-cleaner', { securityProfile: { imageCleaner: { enabled: true, intervalHours: 1 } } }, 'securityProfile.imageCleaner.intervalHours', { securityProfile: { imageCleaner: { enabled: false, intervalHours: 1 } } }],
  ]),
  ...of('network.azure.com/NetworkSecurityGroupsSecurityRule', [
    ['security-rule-any-in-list', { sourceAddressPrefixes: ['*'] }, 'sourceAddressPrefixes[0]', { sourceAddressPrefix: '*' }],
    ['security-rule-description', { description: 'x'.repeat(141) }, 'description', { description: 'x'.repeat(140) }],
  ]),
  ...of('network.azure.com/RouteTablesRoute', [['route-prefix', { addressPrefix: '10.0.0.0' }, 'addressPrefix', { addressPrefix: 'AzureCloud' }]]),
  ...of('network.azure.com/PublicIPAddress', [['public-ip-label', { dnsSettings: { domainNameLabel: 'Shop' } }, 'dnsSettings.domainNameLabel', { dnsSettings: { domainNameLabel: 'shop' } }]]),
  ...of('network.azure.com/BastionHost', [
    ['bastion-address', { ipConfigurations: [{ publicIPAddress: { reference: {} } }] }, 'ipConfigurations[0].publicIPAddress.reference', {}, { refersTo: { kind: 'network.azure.com/PublicIPAddress', spec: { sku: { name: 'Basic' } } } }],
    ['bastion-subnet', { ipConfigurations: [{ subnet: { reference: {} } }] }, 'ipConfigurations[0].subnet.reference', {}, { refersTo: { kind: 'network.azure.com/VirtualNetworksSubnet', name: 'apps', spec: {} } }],
  ]),
  ...of('network.azure.com/VirtualNetworksVirtualNetworkPeering', [
    ['peering-to-itself', { remoteVirtualNetwork: { reference: {} } }, 'remoteVirtualNetwork.reference', {}, { owner: ONE_NETWORK, refersTo: ONE_NETWORK }],
    ['peering-overlap', { remoteVirtualNetwork: { reference: {} } }, 'remoteVirtualNetwork.reference', {}, { ...network('10.0.0.0/16'), refersTo: { kind: 'network.azure.com/VirtualNetwork', name: 'other', spec: { addressSpace: { addressPrefixes: ['10.0.4.0/24'] } } } }],
  ]),
  ...of('network.azure.com/PrivateEndpoint', [['private-endpoint-connection', { privateLinkServiceConnections: [{}, {}] }, 'privateLinkServiceConnections[1]', { privateLinkServiceConnections: [{}] }]]),
  ...of('network.azure.com/PrivateDnsZonesAAAARecord', [['dns-aaaa', { aaaaRecords: [{ ipv6Address: '10.0.0.1' }] }, 'aaaaRecords[0].ipv6Address', { aaaaRecords: [{ ipv6Address: 'fd00::1' }] }]]),
  ...of('network.azure.com/DnsZonesMXRecord', [['dns-mx-preference', { MXRecords: [{ preference: 70_000 }] }, 'MXRecords[0].preference', { MXRecords: [{ preference: 10 }] }]]),
  ...of('network.azure.com/PrivateDnsZonesSRVRecord', [['dns-srv', { srvRecords: [{ port: 70_000 }] }, 'srvRecords[0].port', { srvRecords: [{ port: 5060, priority: 1, weight: 0 }] }]]),
  ...of('network.azure.com/DnsZonesCAARecord', [['dns-caa-flags', { caaRecords: [{ flags: 256 }] }, 'caaRecords[0].flags', { caaRecords: [{ flags: 128 }] }]]),
  ...of('network.azure.com/PrivateDnsZonesTXTRecord', [['dns-txt-length', { txtRecords: [{ value: ['x'.repeat(4097)] }] }, 'txtRecords[0]', { txtRecords: [{ value: ['v=spf1'] }] }]]),
  ...of('network.azure.com/DnsZonesCNAMERecord', [['dns-cname-target', { CNAMERecord: { cname: '10.0.0.1' } }, 'CNAMERecord.cname', { CNAMERecord: { cname: 'www.example.com' } }]]),
  ...of('app.azure.com/ContainerApp', [
    ['container-app-scale-rule', { template: { scale: { rules: [{ name: 'a', http: {}, tcp: {} }] } } }, 'template.scale.rules[0]', { template: { scale: { rules: [{ name: 'a', http: {} }, { name: 'b', http: {} }] } } }],
    ['container-app-secret-name', { configuration: { secrets: [{ name: 'Db_Password' }] } }, 'configuration.secrets[0].name', { configuration: { secrets: [{ name: 'db-password' }] } }],
    ['container-app-container-name', { template: { containers: [{ name: 'a' }, { name: 'a' }] } }, 'template.containers[1].name', { template: { containers: [{ name: 'a' }, { name: 'b' }] } }],
    ['container-app-dapr', { configuration: { dapr: { appPort: 0 } } }, 'configuration.dapr.appPort', { configuration: { dapr: { appPort: 8080 } } }],
  ]),
  ...of('app.azure.com/Job', [
    ['container-job-trigger', { configuration: { triggerType: 'Schedule' } }, 'configuration.scheduleTriggerConfig', { configuration: { triggerType: 'Schedule', scheduleTriggerConfig: {} } }],
    ['container-job-cron', { configuration: { scheduleTriggerConfig: { cronExpression: 'every day' } } }, 'configuration.scheduleTriggerConfig.cronExpression', { configuration: { scheduleTriggerConfig: { cronExpression: '*/5 0-6 * * MON-FRI' } } }],
  ]),
  ...of('app.azure.com/ManagedEnvironment', [['container-environment-profile', { workloadProfiles: [{ name: 'd4', minimumCount: 3, maximumCount: 1 }] }, 'workloadProfiles[0].minimumCount', { workloadProfiles: [{ name: 'Consumption' }, { name: 'd4', minimumCount: 0, maximumCount: 3 }] }]]),
  ...of('web.azure.com/ServerFarm', [['app-service-linux', { kind: 'linux', reserved: false }, 'reserved', { kind: 'linux', reserved: true }, WARNING]]),
  ...of('web.azure.com/Site', [['app-service-runtime', { siteConfig: { linuxFxVersion: 'node20' } }, 'siteConfig.linuxFxVersion', { siteConfig: { linuxFxVersion: 'NODE|20-lts' } }],
    ['app-service-runtime', { siteConfig: { linuxFxVersion: 'containers' } }, 'siteConfig.linuxFxVersion', { siteConfig: { linuxFxVersion: 'sitecontainers' } }]]),
  ...of('containerregistry.azure.com/Registry', [['registry-export', { policies: { exportPolicy: { status: 'disabled' } } }, 'policies.exportPolicy.status', { policies: { exportPolicy: { status: 'disabled' } }, publicNetworkAccess: 'Disabled' }]]),
  ...of('storage.azure.com/StorageAccount', [
    ['storage-blob-tier', { kind: 'BlobStorage' }, 'accessTier', { kind: 'BlobStorage', accessTier: 'Hot' }],
    ['storage-hierarchical', { kind: 'FileStorage', isHnsEnabled: true }, 'isHnsEnabled', { kind: 'StorageV2', isHnsEnabled: true }],
    ['storage-customer-key', { encryption: { keySource: 'Microsoft.Keyvault' } }, 'encryption.keyvaultproperties', { encryption: { keySource: 'Microsoft.Storage' } }],
  ]),
  ...of('storage.azure.com/StorageAccountsFileServicesShare', [
    ['storage-share-account', { accessTier: 'Premium' }, 'accessTier', { accessTier: 'Hot' }, { owner: { kind: 'storage.azure.com/StorageAccount', spec: { kind: 'StorageV2' } } }],
    ['storage-premium-share', { shareQuota: 50 }, 'shareQuota', { shareQuota: 100 }, { owner: { kind: 'storage.azure.com/StorageAccount', spec: { kind: 'FileStorage', sku: { name: 'Premium_LRS' } } } }],
  ]),
  ...of('storage.azure.com/StorageAccountsManagementPolicy', [
    ['storage-lifecycle-name', { policy: { rules: [{ name: 'old' }, { name: 'old' }] } }, 'policy.rules[1].name', { policy: { rules: [{ name: 'old' }, { name: 'older' }] } }],
    ['storage-lifecycle-days', lifecycle({ delete: { daysAfterModificationGreaterThan: -1 } }), 'policy.rules[0].definition.actions.baseBlob.delete.daysAfterModificationGreaterThan', lifecycle({ delete: { daysAfterModificationGreaterThan: 30 } })],
    ['storage-lifecycle-action', { policy: { rules: [{ definition: { actions: {} } }] } }, 'policy.rules[0].definition.actions', lifecycle({})],
  ]),
  ...of('keyvault.azure.com/Vault', [['key-vault-network-rules', { properties: { networkAcls: { ipRules: many(1001, () => ({})) } } }, 'properties.networkAcls.ipRules', { properties: { networkAcls: { ipRules: [] } } }]]),
  ...of('dbforpostgresql.azure.com/FlexibleServer', [
    ['database-server-private', { network: { delegatedSubnetResourceReference: {}, publicNetworkAccess: 'Enabled' } }, 'network.publicNetworkAccess', { network: { delegatedSubnetResourceReference: {}, publicNetworkAccess: 'Disabled' } }],
    ['database-server-zone', { network: { delegatedSubnetResourceReference: {} } }, 'network.privateDnsZoneArmResourceReference', { network: { delegatedSubnetResourceReference: {}, privateDnsZoneArmResourceReference: {} } }],
    ['postgresql-disk-tier', { storage: { storageSizeGB: 512, tier: 'P10' } }, 'storage.tier', { storage: { storageSizeGB: 512, tier: 'P30' } }],
    ['postgresql-disk-performance', { storage: { type: 'Premium_LRS', throughput: 200 } }, 'storage.throughput', { storage: { type: 'PremiumV2_LRS', throughput: 200 } }],
  ]),
  ...of('dbforpostgresql.azure.com/FlexibleServersFirewallRule', [['database-server-private-firewall', { startIpAddress: '0.0.0.0' }, 'startIpAddress', {}, { owner: { kind: 'dbforpostgresql.azure.com/FlexibleServer', spec: { network: { delegatedSubnetResourceReference: {} } } }, severity: 'warning' }]]),
  ...of('dbformysql.azure.com/FlexibleServersDatabase', [['database-reserved', {}, 'azureName', {}, { name: 'mysql' }]]),
  ...of('dbforpostgresql.azure.com/FlexibleServersDatabase', [['database-reserved', {}, 'azureName', {}, { name: 'azure_sys' }]]),
  ...of('dbformysql.azure.com/FlexibleServer', [
    ['mysql-operations', { storage: { iops: 100 } }, 'storage.iops', { storage: { iops: 360 } }],
    ['mysql-growth', { highAvailability: { mode: 'SameZone' }, storage: { autoGrow: 'Disabled' } }, 'storage.autoGrow', { highAvailability: { mode: 'SameZone' }, storage: { autoGrow: 'Enabled' } }],
    ['mysql-login-sa', { administratorLogin: 'sa' }, 'administratorLogin', { administratorLogin: 'shopadmin' }],
  ]),
  ...of('sql.azure.com/Server', [['sql-version', { version: '15.0' }, 'version', { version: '12.0' }]]),
  ...of('sql.azure.com/ServersDatabase', [
    ['sql-database-name', {}, 'azureName', {}, { name: 'master' }],
    ['sql-read-scale', { sku: { name: 'S1' }, readScale: 'Enabled' }, 'readScale', { sku: { name: 'BC_Gen5' }, readScale: 'Enabled' }],
    ['sql-replicas', { sku: { name: 'GP_Gen5' }, highAvailabilityReplicaCount: 1 }, 'highAvailabilityReplicaCount', { sku: { name: 'HS_Gen5' }, highAvailabilityReplicaCount: 4 }],
  ]),
  ...of('sql.azure.com/ServersDatabasesBackupShortTermRetentionPolicy', [['sql-backup-days', { retentionDays: 40 }, 'retentionDays', { retentionDays: 35, diffBackupIntervalInHours: 12 }]]),
  ...of('sql.azure.com/ServersDatabasesBackupLongTermRetentionPolicy', [['sql-long-backups', { weeklyRetention: '4 weeks' }, 'weeklyRetention', { weeklyRetention: 'P4W', weekOfYear: 1 }]]),
  ...of('sql.azure.com/ServersFailoverGroup', [['sql-failover', { readWriteEndpoint: { failoverPolicy: 'Manual', failoverWithDataLossGracePeriodMinutes: 60 } }, 'readWriteEndpoint.failoverWithDataLossGracePeriodMinutes', { readWriteEndpoint: { failoverPolicy: 'Automatic', failoverWithDataLossGracePeriodMinutes: 60 } }]]),
  ...of('cache.azure.com/Redis', [
    ['redis-zones', { sku: { name: 'Basic' }, zones: ['1'] }, 'zones', { sku: { name: 'Standard' }, zones: ['1'] }, WARNING],
    ['redis-replica-names', { replicasPerMaster: 1, replicasPerPrimary: 2 }, 'replicasPerMaster', { replicasPerMaster: 2, replicasPerPrimary: 2 }],
    ['redis-one-persistence', { redisConfiguration: { 'rdb-backup-enabled': 'true', 'aof-backup-enabled': 'true' } }, 'redisConfiguration.aof-backup-enabled', { redisConfiguration: { 'rdb-backup-enabled': 'true', 'aof-backup-enabled': 'false' } }],
  ]),
  ...of('cache.azure.com/RedisPatchSchedule', [['redis-patch-window', { scheduleEntries: [{ maintenanceWindow: 'PT2H' }] }, 'scheduleEntries[0].maintenanceWindow', { scheduleEntries: [{ maintenanceWindow: 'PT5H', startHourUtc: 2 }] }]]),
  ...of('cache.azure.com/RedisLinkedServer', [['redis-link', { linkedRedisCacheReference: {} }, 'linkedRedisCacheReference', {}, { owner: { kind: 'cache.azure.com/Redis', spec: { sku: { name: 'Standard' } } } }]]),
  ...of('documentdb.azure.com/DatabaseAccount', [
    ['cosmos-serverless-regions', { capabilities: [{ name: 'EnableServerless' }], locations: [{}, {}] }, 'locations', { capabilities: [{ name: 'EnableServerless' }], locations: [{}] }],
    ['cosmos-strong-writes', { consistencyPolicy: { defaultConsistencyLevel: 'Strong' }, enableMultipleWriteLocations: true, locations: [{}, {}] }, 'consistencyPolicy.defaultConsistencyLevel', { consistencyPolicy: { defaultConsistencyLevel: 'Strong' }, locations: [{}, {}] }],
    ['cosmos-capabilities', { capabilities: [{ name: 'EnableTable' }, { name: 'EnableGremlin' }] }, 'capabilities', { capabilities: [{ name: 'EnableTable' }, { name: 'EnableServerless' }] }],
    ['cosmos-ip-rules', { ipRules: [{ ipAddressOrRange: 'office' }] }, 'ipRules[0].ipAddressOrRange', { ipRules: [{ ipAddressOrRange: '20.50.1.2' }] }],
  ]),
  ...of(BUS, [['service-bus-encryption', { sku: { name: 'Standard' }, encryption: { keyVaultProperties: [{}] } }, 'encryption.keyVaultProperties', { sku: { name: 'Premium' }, encryption: { keyVaultProperties: [{}] } }]]),
  ...of('servicebus.azure.com/NamespacesQueue', [
    ['service-bus-session-forward', { requiresSession: true, forwardTo: 'other' }, 'forwardTo', { requiresSession: false, forwardTo: 'other' }],
    ['service-bus-forward-itself', { forwardTo: 'one' }, 'forwardTo', { forwardTo: 'other' }],
  ]),
  ...of('servicebus.azure.com/NamespacesTopicsSubscriptionsRule', [['service-bus-filter', { filterType: 'CorrelationFilter', sqlFilter: {} }, 'sqlFilter', { filterType: 'SqlFilter', sqlFilter: { sqlExpression: '1=1' } }, WARNING]]),
  ...of(HUBS, [['event-hubs-tier', { sku: { name: 'Standard', tier: 'Basic' } }, 'sku.tier', { sku: { name: 'Standard', tier: 'Standard' } }, WARNING]]),
  ...of('eventhub.azure.com/NamespacesEventhub', [
    ['event-hubs-capture-name', { captureDescription: { destination: { archiveNameFormat: '{Namespace}/{EventHub}' } } }, 'captureDescription.destination.archiveNameFormat', { captureDescription: { destination: { archiveNameFormat: '{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}' } } }],
    ['event-hubs-capture-destination', { captureDescription: { enabled: true } }, 'captureDescription.destination', { captureDescription: { enabled: true, destination: {} } }],
  ]),
  ...of('insights.azure.com/ScheduledQueryRule', [['query-alert-mute', { autoMitigate: true, muteActionsDuration: 'PT5M' }, 'muteActionsDuration', { autoMitigate: false, muteActionsDuration: 'PT5M' }]]),
  ...of('insights.azure.com/MetricAlert', [['metric-alert-periods', dynamicAlert(5, 4), 'criteria.microsoftAzureMonitorMultipleResourceMultipleMetricCriteria.allOf[0].dynamicThresholdCriterion.failingPeriods.minFailingPeriodsToAlert', dynamicAlert(4, 4)]]),
  ...of('insights.azure.com/ActivityLogAlert', [['activity-alert-category', { condition: { allOf: [{ field: 'level' }] } }, 'condition.allOf', { condition: { allOf: [{ field: 'category' }, { field: 'level' }] } }]]),
  ...of('insights.azure.com/Webtest', [
    ['web-test-frequency', { Frequency: 60 }, 'Frequency', { Frequency: 300 }],
    ['web-test-timeout', { Timeout: 300 }, 'Timeout', { Timeout: 30 }],
  ]),
  ...of('operationalinsights.azure.com/Workspace', [['workspace-free-retention', { sku: { name: 'Free' }, retentionInDays: 30 }, 'retentionInDays', { sku: { name: 'Free' }, retentionInDays: 7 }]]),
  ...of('insights.azure.com/ActionGroup', [['action-group-receivers', { emailReceivers: [{ name: 'a', emailAddress: 'team' }] }, 'emailReceivers[0].emailAddress', { emailReceivers: [{ name: 'a', emailAddress: 'team@example.com' }] }]]),
  ...of('insights.azure.com/AutoscaleSetting', [['autoscale-times', { profiles: [{ rules: [{ scaleAction: { cooldown: 'PT30S' } }] }] }, 'profiles[0].rules[0].scaleAction.cooldown', { profiles: [{ rules: [{ scaleAction: { cooldown: 'PT5M' } }] }] }]]),
  ...of('insights.azure.com/DiagnosticSetting', [
    ['diagnostics-category', { logs: [{ category: 'AuditEvent', categoryGroup: 'audit' }] }, 'logs[0].categoryGroup', { logs: [{ categoryGroup: 'audit' }] }],
    ['diagnostics-category', { logs: [{ category: 'kube-audit' }, { categoryGroup: 'allLogs' }] }, 'logs[1].categoryGroup', { logs: [{ category: 'kube-audit' }, { category: 'guard' }], metrics: [{ category: 'AllMetrics' }] }],
  ]),
  ...of('search.azure.com/SearchService', [
    ['search-capacity', { replicaCount: 12, partitionCount: 6 }, 'partitionCount', { replicaCount: 3, partitionCount: 12 }],
    ['search-free', { sku: { name: 'free' }, replicaCount: 2 }, 'replicaCount', { sku: { name: 'free' }, replicaCount: 1 }],
    ['search-density', { sku: { name: 'standard' }, hostingMode: 'highDensity' }, 'hostingMode', { sku: { name: 'standard3' }, hostingMode: 'highDensity' }],
  ]),
  ...of('appconfiguration.azure.com/ConfigurationStore', [
    ['app-configuration-retention', { softDeleteRetentionInDays: 30 }, 'softDeleteRetentionInDays', { softDeleteRetentionInDays: 7 }],
    ['app-configuration-free', { sku: { name: 'free' }, enablePurgeProtection: true }, 'enablePurgeProtection', { sku: { name: 'standard' }, enablePurgeProtection: true }],
  ]),
  ...of('signalrservice.azure.com/SignalR', [['signalr-capacity', { sku: { name: 'Standard_S1', capacity: 15 } }, 'sku.capacity', { sku: { name: 'Standard_S1', capacity: 20 } }]]),
  ...of('eventgrid.azure.com/EventSubscription', [['event-grid-retry', { retryPolicy: { maxDeliveryAttempts: 50 } }, 'retryPolicy.maxDeliveryAttempts', { retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 } }]]),
];
