import { of, WARNING, type Case } from './case';

const FLAT: Partial<Case> = { owner: { kind: 'storage.azure.com/StorageAccount', name: 'shopdata4711', spec: { kind: 'StorageV2', sku: { name: 'Standard_ZRS' }, accessTier: 'Hot', isHnsEnabled: true } } };

/** Cases from whole manifests, as people write them. */
export const EXAMPLE_CASES: readonly Case[] = [
  ...of('network.azure.com/VirtualNetworksSubnet', [
    ['subnet-delegation', { delegations: [{ serviceName: 'PostgreSQL' }] }, 'delegations[0].serviceName', { delegations: [{ name: 'd', serviceName: 'Microsoft.App/environments' }] }],
  ]),
  ...of('network.azure.com/NetworkSecurityGroupsSecurityRule', [
    ['security-rule-complete', { sourcePortRange: '*', destinationAddressPrefix: '*', destinationPortRange: '443' }, 'sourceAddressPrefix', {}],
  ]),
  ...of('network.azure.com/PublicIPAddress', [
    ['zone', { zones: ['4'] }, 'zones[0]', { zones: ['1', '2', '3'] }],
  ]),
  ...of('network.azure.com/NatGateway', [
    ['nat-gateway-address', { publicIpAddresses: [{ reference: { name: 'p' } }] }, 'publicIpAddresses[0].reference', {}, { refersTo: { kind: 'network.azure.com/PublicIPAddress', name: 'p', spec: { sku: { name: 'Basic' } } } }],
  ]),
  ...of('network.azure.com/DnsZonesCNAMERecord', [
    ['dns-cname-apex', {}, 'azureName', {}, { name: '@' }],
    ['dns-cname-alone', {}, 'azureName', {}, { name: 'www', beside: [{ kind: 'network.azure.com/DnsZonesARecord', name: 'www', spec: { TTL: 300, ARecords: [{ ipv4Address: '20.1.2.3' }] } }] }],
  ]),
  ...of('network.azure.com/PrivateDnsZone', [
    ['global-location', { location: 'uksouth' }, 'location', {}],
    ['private-dns-zone-name', {}, 'azureName', {}],
  ]),
  ...of('network.azure.com/PrivateEndpoint', [
    ['private-endpoint-group', { privateLinkServiceConnections: [{ groupIds: ['blobs'], privateLinkServiceReference: { name: 'shopdata4711' } }] }, 'privateLinkServiceConnections[0].groupIds[0]', { privateLinkServiceConnections: [{ name: 'c', groupIds: ['dfs'], privateLinkServiceReference: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'shopdata4711' } }] }, { refersTo: { kind: 'storage.azure.com/StorageAccount', name: 'shopdata4711', spec: { kind: 'StorageV2', sku: { name: 'Standard_ZRS' }, accessTier: 'Hot' } } }],
    ['private-endpoint-tier', { privateLinkServiceConnections: [{ privateLinkServiceReference: { name: 'shopacr4711' } }] }, 'privateLinkServiceConnections[0].privateLinkServiceReference', {}, { refersTo: { kind: 'containerregistry.azure.com/Registry', name: 'shopacr4711', spec: { sku: { name: 'Basic' } } } }],
  ]),
  ...of('containerservice.azure.com/ManagedCluster', [
    ['aks-kubenet', { networkProfile: { networkPlugin: 'kubenet', networkPolicy: 'azure' } }, 'networkProfile.networkPolicy', { networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkPolicy: 'cilium', networkDataplane: 'cilium', podCidr: '192.168.0.0/16', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' } }],
    ['aks-cilium', { networkProfile: { networkPolicy: 'cilium' } }, 'networkProfile.networkPolicy', { networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkPolicy: 'cilium', networkDataplane: 'cilium', podCidr: '192.168.0.0/16', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' } }],
    ['aks-version', { kubernetesVersion: 'v1.31' }, 'kubernetesVersion', { kubernetesVersion: '1.31' }],
    ['aks-vm-size', { agentPoolProfiles: [{ vmSize: 'D4s_v5' }] }, 'agentPoolProfiles[0].vmSize', { agentPoolProfiles: [{ name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', osType: 'Linux', type: 'VirtualMachineScaleSets' }] }],
    ['aks-authorized-ranges', { apiServerAccessProfile: { enablePrivateCluster: true, authorizedIPRanges: ['1.2.3.0/24'] } }, 'apiServerAccessProfile.authorizedIPRanges', { apiServerAccessProfile: { authorizedIPRanges: ['20.50.0.0/24', '51.1.2.3/32'] } }],
    ['aks-reserved-range', { networkProfile: { serviceCidr: '172.30.0.0/16' } }, 'networkProfile.serviceCidr', { networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkPolicy: 'cilium', networkDataplane: 'cilium', podCidr: '192.168.0.0/16', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' } }],
    ['aks-surge', { agentPoolProfiles: [{ upgradeSettings: { maxSurge: '150%' } }] }, 'agentPoolProfiles[0].upgradeSettings.maxSurge', { agentPoolProfiles: [{ name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', osType: 'Linux', type: 'VirtualMachineScaleSets', enableAutoScaling: true, minCount: 2, maxCount: 5, availabilityZones: ['1', '2', '3'], maxPods: 110, osDiskSizeGB: 128, osDiskType: 'Ephemeral', nodeTaints: ['CriticalAddonsOnly=true:NoSchedule'], nodeLabels: { team: 'shop' }, upgradeSettings: { maxSurge: '33%' } }] }],
    ['aks-long-term-support', { supportPlan: 'AKSLongTermSupport' }, 'supportPlan', {}],
    ['aks-node-labels', { agentPoolProfiles: [{ nodeLabels: { team: 'not valid!' } }] }, 'agentPoolProfiles[0].nodeLabels', { agentPoolProfiles: [{ name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', osType: 'Linux', type: 'VirtualMachineScaleSets', enableAutoScaling: true, minCount: 2, maxCount: 5, availabilityZones: ['1', '2', '3'], maxPods: 110, osDiskSizeGB: 128, osDiskType: 'Ephemeral', nodeTaints: ['CriticalAddonsOnly=true:NoSchedule'], nodeLabels: { team: 'shop' }, upgradeSettings: { maxSurge: '33%' } }] }],
    ['aks-pod-cidr', { networkProfile: { networkPlugin: 'azure', podCidr: '10.244.0.0/16' } }, 'networkProfile.podCidr', { networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkPolicy: 'cilium', networkDataplane: 'cilium', podCidr: '192.168.0.0/16', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' } }, WARNING],
    ['aks-service-cidr-subnet', { agentPoolProfiles: [{ vnetSubnetReference: { name: 'nodes' } }], networkProfile: { serviceCidr: '10.0.0.0/16' } }, 'networkProfile.serviceCidr', { networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkPolicy: 'cilium', networkDataplane: 'cilium', podCidr: '192.168.0.0/16', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' } }, { refersTo: { kind: 'network.azure.com/VirtualNetworksSubnet', name: 'nodes', spec: { addressPrefix: '10.0.0.0/22' }, owner: { kind: 'network.azure.com/VirtualNetwork', name: 'net', spec: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } } } }],
  ]),
  ...of('containerservice.azure.com/ManagedClustersAgentPool', [
    ['aks-pool-version', { orchestratorVersion: '1.31' }, 'orchestratorVersion', {}, { owner: { kind: 'containerservice.azure.com/ManagedCluster', name: 'shop', spec: { dnsPrefix: 'shop', identity: { type: 'SystemAssigned' }, agentPoolProfiles: [{ name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', osType: 'Linux', type: 'VirtualMachineScaleSets' }], kubernetesVersion: '1.30' } } }],
  ]),
  ...of('containerregistry.azure.com/Registry', [
    ['registry-ip-rules', { networkRuleSet: { ipRules: [{ value: 'all' }] } }, 'networkRuleSet.ipRules[0].value', { networkRuleSet: { defaultAction: 'Deny', ipRules: [{ action: 'Allow', value: '20.50.0.0/24' }] } }],
  ]),
  ...of('storage.azure.com/StorageAccount', [
    ['storage-old-kind', { kind: 'Storage', sku: { name: 'Standard_ZRS' } }, 'sku.name', { kind: 'StorageV2', sku: { name: 'Standard_ZRS' } }],
    ['storage-bypass', { networkAcls: { bypass: 'Azure' } }, 'networkAcls.bypass', { networkAcls: { bypass: 'AzureServices, Metrics', defaultAction: 'Deny', ipRules: [{ value: '20.50.0.0/24' }, { value: '51.2.3.4' }] } }],
    ['storage-sas-period', { sasPolicy: { sasExpirationPeriod: 'P1D' } }, 'sasPolicy.sasExpirationPeriod', {}],
    ['regional-location', { location: 'global' }, 'location', {}],
  ]),
  ...of('storage.azure.com/StorageAccountsBlobServicesContainer', [
    ['storage-container-public', { publicAccess: 'Blob' }, 'publicAccess', {}, { owner: { kind: 'storage.azure.com/StorageAccountsBlobService', name: 'default', spec: {}, owner: { kind: 'storage.azure.com/StorageAccount', name: 'shopdata4711', spec: { kind: 'StorageV2', sku: { name: 'Standard_ZRS' }, accessTier: 'Hot', allowBlobPublicAccess: false } } } }],
  ]),
  ...of('storage.azure.com/StorageAccountsBlobService', [
    ['storage-flat-versions', { isVersioningEnabled: true }, 'isVersioningEnabled', {}, { ...FLAT, ...WARNING }],
    ['storage-flat-versions', { restorePolicy: { enabled: true } }, 'restorePolicy.enabled', {}, FLAT],
  ]),
  ...of('storage.azure.com/StorageAccountsManagementPolicy', [
    ['storage-lifecycle-types', { policy: { rules: [{ definition: { filters: { blobTypes: ['appendBlob'] }, actions: { baseBlob: { tierToCool: {} } } } }] } }, 'policy.rules[0].definition.actions.baseBlob.tierToCool', { policy: { rules: [{ name: 'old', enabled: true, type: 'Lifecycle', definition: { filters: { blobTypes: ['blockBlob'], prefixMatch: ['logs/'] }, actions: { baseBlob: { tierToCool: { daysAfterModificationGreaterThan: 30 }, tierToArchive: { daysAfterModificationGreaterThan: 90 }, delete: { daysAfterModificationGreaterThan: 365 } }, snapshot: { delete: { daysAfterCreationGreaterThan: 90 } } } } }] } }],
  ]),
  ...of('keyvault.azure.com/Vault', [
    ['key-vault-tenant', { properties: { tenantId: 'shop.onmicrosoft.com' } }, 'properties.tenantId', { properties: { tenantId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52', sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true } }],
    ['key-vault-access', { properties: { tenantId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52' } }, 'properties.accessPolicies', { properties: { accessPolicies: [{}] } }],
    ['key-vault-access', { properties: { enableRbacAuthorization: false } }, 'properties.accessPolicies', { properties: { createMode: 'recover' } }],
  ]),
  ...of('dbforpostgresql.azure.com/FlexibleServer', [
    ['database-server-size', { sku: { name: 'GP_D2s' } }, 'sku.name', { sku: { name: 'Standard_D2s_v3', tier: 'GeneralPurpose' } }],
    ['database-server-login', {}, 'administratorLogin', { administratorLogin: 'shopadmin' }],
    ['postgresql-authentication', { authConfig: { passwordAuth: 'Disabled' } }, 'authConfig.activeDirectoryAuth', { authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled', tenantId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52' } }],
    ['database-server-subnet', { network: { delegatedSubnetResourceReference: { name: 'db' } } }, 'network.delegatedSubnetResourceReference', {}, { refersTo: { kind: 'network.azure.com/VirtualNetworksSubnet', name: 'db', spec: { addressPrefix: '10.0.3.0/28' }, owner: { kind: 'network.azure.com/VirtualNetwork', name: 'net', spec: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } } } }],
  ]),
  ...of('dbformysql.azure.com/FlexibleServer', [
    ['mysql-version', { version: '8' }, 'version', { version: '8.0.21' }],
  ]),
  ...of('sql.azure.com/Server', [
    ['sql-administrator', {}, 'administratorLogin', { administratorLogin: 'shopadmin' }],
  ]),
  ...of('sql.azure.com/ServersDatabase', [
    ['sql-tier', { sku: { name: 'S1', tier: 'Premium' } }, 'sku.tier', { sku: { name: 'GP_Gen5_2', tier: 'GeneralPurpose' } }],
    ['sql-capacity', { sku: { name: 'Standard', capacity: 15 } }, 'sku.capacity', { sku: { name: 'Standard', tier: 'Standard', capacity: 50 } }],
    ['sql-size', { sku: { tier: 'Basic' }, maxSizeBytes: 10737418240 }, 'maxSizeBytes', { maxSizeBytes: 2147483648 }],
    ['sql-serverless', { sku: { name: 'GP_Gen5' }, autoPauseDelay: 60 }, 'autoPauseDelay', { autoPauseDelay: 60 }, WARNING],
    ['sql-zone-redundant', { sku: { tier: 'Basic' }, zoneRedundant: true }, 'zoneRedundant', { zoneRedundant: true }],
    ['sql-minimum-capacity', { sku: { capacity: 2 }, minCapacity: 4 }, 'minCapacity', { minCapacity: 0.5 }],
  ]),
  ...of('sql.azure.com/ServersElasticPool', [
    ['sql-pool-databases', { sku: { capacity: 50 }, perDatabaseSettings: { maxCapacity: 100 } }, 'perDatabaseSettings.maxCapacity', { perDatabaseSettings: { minCapacity: 0, maxCapacity: 50 } }],
  ]),
  ...of('cache.azure.com/Redis', [
    ['redis-eviction', { redisConfiguration: { 'maxmemory-policy': 'lru' } }, 'redisConfiguration.maxmemory-policy', { redisConfiguration: { 'maxmemory-policy': 'allkeys-lru' } }],
    ['redis-backup-frequency', { redisConfiguration: { 'rdb-backup-frequency': '45' } }, 'redisConfiguration.rdb-backup-frequency', { redisConfiguration: { 'rdb-backup-enabled': 'true', 'rdb-backup-frequency': '60', 'rdb-storage-connection-string': 'x' } }],
    ['redis-version', { redisVersion: '7' }, 'redisVersion', { redisVersion: '6' }],
  ]),
  ...of('servicebus.azure.com/NamespacesQueue', [
    ['service-bus-partitioning', { enablePartitioning: true }, 'enablePartitioning', { enablePartitioning: false }, { owner: { kind: 'servicebus.azure.com/Namespace', name: 'shopbus4711', spec: { sku: { name: 'Premium', tier: 'Premium', capacity: 1 } } } }],
  ]),
  ...of('servicebus.azure.com/Namespace', [
    ['service-bus-tier', { sku: { name: 'Standard', tier: 'Premium' } }, 'sku.tier', { sku: { name: 'Standard', tier: 'Standard' } }, WARNING],
  ]),
  ...of('eventhub.azure.com/Namespace', [
    ['event-hubs-inflate-maximum', { sku: { capacity: 10 }, isAutoInflateEnabled: true }, 'maximumThroughputUnits', { maximumThroughputUnits: 10 }],
  ]),
  ...of('documentdb.azure.com/SqlDatabaseContainer', [
    ['cosmos-index-root', { resource: { indexingPolicy: { includedPaths: [{ path: '/name/?' }] } } }, 'resource.indexingPolicy', { resource: { id: 'orders', partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 }, indexingPolicy: { indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/"_etag"/?' }] } } }],
  ]),
  ...of('documentdb.azure.com/SqlDatabase', [
    ['cosmos-api', {}, 'owner', {}, { owner: { kind: 'documentdb.azure.com/DatabaseAccount', name: 'shopcosmos4711', spec: { databaseAccountOfferType: 'Standard', kind: 'MongoDB', locations: [{ locationName: 'uksouth', failoverPriority: 0 }] } } }],
  ]),
  ...of('operationalinsights.azure.com/Workspace', [
    ['workspace-reservation', { sku: { capacityReservationLevel: 150 } }, 'sku.capacityReservationLevel', { sku: { name: 'CapacityReservation', capacityReservationLevel: 100 } }],
  ]),
  ...of('insights.azure.com/ScheduledQueryRule', [
    ['query-alert-frequency', { evaluationFrequency: 'PT7M' }, 'evaluationFrequency', { evaluationFrequency: 'PT5M' }],
    ['query-alert-window', { evaluationFrequency: 'PT5M', windowSize: 'PT1M' }, 'windowSize', { windowSize: 'PT15M' }],
    ['query-alert-periods', { criteria: { allOf: [{ failingPeriods: { minFailingPeriodsToAlert: 3, numberOfEvaluationPeriods: 2 } }] } }, 'criteria.allOf[0].failingPeriods.minFailingPeriodsToAlert', { criteria: { allOf: [{ query: 'requests', operator: 'GreaterThan', threshold: 5, timeAggregation: 'Count', failingPeriods: { minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 1 } }] } }],
  ]),
  ...of('managedidentity.azure.com/FederatedIdentityCredential', [
    ['federation-cluster-subject', { issuer: 'https://uksouth.oic.prod-aks.azure.com/t/i/', subject: 'serviceaccount:shop:api' }, 'subject', { subject: 'repo:org/app:environment:prod' }, WARNING],
  ]),
  ...of('authorization.azure.com/RoleAssignment', [
    ['role-condition', { condition: 'x' }, 'conditionVersion', {}],
  ]),
  ...of('app.azure.com/ContainerApp', [
    ['container-app-resources', { template: { containers: [{ resources: { cpu: 0.5, memory: '3Gi' } }] } }, 'template.containers[0].resources.memory', { template: { containers: [{ name: 'api', image: 'x', resources: { cpu: 0.5, memory: '1Gi' } }] } }],
    ['container-app-replicas', { template: { scale: { minReplicas: 5, maxReplicas: 2 } } }, 'template.scale.minReplicas', { template: { containers: [{ name: 'api', image: 'x', resources: { cpu: 0.5, memory: '1Gi' } }], scale: { minReplicas: 0, maxReplicas: 30 } } }],
    ['container-app-port', { configuration: { ingress: { targetPort: 70000 } } }, 'configuration.ingress.targetPort', { configuration: { ingress: { external: true, targetPort: 8080, traffic: [{ latestRevision: true, weight: 100 }] }, secrets: [{ name: 'db' }] } }],
    ['container-app-traffic', { configuration: { ingress: { traffic: [{ weight: 50 }] } } }, 'configuration.ingress.traffic', { configuration: { ingress: { external: true, targetPort: 8080, traffic: [{ latestRevision: true, weight: 100 }] }, secrets: [{ name: 'db' }] } }],
    ['container-app-secret', { template: { containers: [{ env: [{ secretRef: 'no' }] }] } }, 'template.containers[0].env[0].secretRef', {}],
  ]),
  ...of('web.azure.com/ServerFarm', [
    ['app-service-tier', { sku: { name: 'B1', tier: 'Standard' } }, 'sku.tier', { sku: { name: 'P0v3', tier: 'Premium0V3' } }, WARNING],
    ['app-service-instances', { sku: { tier: 'Basic', capacity: 5 } }, 'sku.capacity', { sku: { name: 'P1v3', tier: 'PremiumV3', capacity: 3 } }],
    ['app-service-zones', { sku: { tier: 'Standard' }, zoneRedundant: true }, 'zoneRedundant', { zoneRedundant: true }],
  ]),
  ...of('web.azure.com/Site', [
    ['app-service-always-on', { serverFarmReference: { name: 'p' }, siteConfig: { alwaysOn: true } }, 'siteConfig.alwaysOn', {}, { refersTo: { kind: 'web.azure.com/ServerFarm', name: 'p', spec: { sku: { name: 'F1', tier: 'Free' } } } }],
  ]),
  ...of('managedidentity.azure.com/UserAssignedIdentity', [
    ['tag-case', { tags: { Env: 'a', env: 'b' } }, 'tags', { tags: { 'cost centre': '42', 'Owner': 'team', 'env': '' } }],
  ]),
];
