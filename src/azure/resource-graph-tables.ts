/** The Azure Resource Graph tables of the catalog's ARM types. */

const RESOURCES = [
  'alertsManagement: prometheusRuleGroups smartDetectorAlertRules',
  'apiManagement: service',
  'app: containerApps jobs managedEnvironments',
  'appConfiguration: configurationStores',
  'batch: batchAccounts',
  'cache: redis redisEnterprise',
  'cdn: profiles profiles/afdEndpoints profiles/endpoints',
  'cognitiveServices: accounts',
  'compute: availabilitySets capacityReservationGroups capacityReservationGroups/capacityReservations diskAccesses diskEncryptionSets disks images',
  'compute: snapshots virtualMachineScaleSets virtualMachines virtualMachines/extensions',
  'containerInstance: containerGroups',
  'containerRegistry: registries registries/replications',
  'containerService: fleets managedClusters',
  'databaseWatcher: watchers',
  'dataFactory: factories',
  'dataProtection: backupVaults',
  'dbForMariaDB: servers',
  'dbForMySQL: flexibleServers',
  'dbForPostgreSQL: flexibleServers',
  'devices: iotHubs',
  'documentDB: cassandraClusters databaseAccounts mongoClusters',
  'eventGrid: domains topics',
  'eventHub: namespaces',
  'insights: actionGroups activityLogAlerts autoscaleSettings components dataCollectionEndpoints dataCollectionRules metricAlerts scheduledQueryRules',
  'insights: webtests workbooks',
  'keyVault: vaults',
  'kusto: clusters',
  'machineLearningServices: registries workspaces',
  'managedIdentity: userAssignedIdentities',
  'monitor: accounts',
  'network: applicationGateways applicationGatewayWebApplicationFirewallPolicies applicationSecurityGroups azureFirewalls bastionHosts',
  'network: ddosProtectionPlans dnsForwardingRulesets dnsResolvers dnsResolvers/inboundEndpoints dnsResolvers/outboundEndpoints dnsZones',
  'network: firewallPolicies frontDoorWebApplicationFirewallPolicies loadBalancers natGateways networkInterfaces networkSecurityGroups',
  'network: networkWatchers networkWatchers/flowLogs privateDnsZones privateDnsZones/virtualNetworkLinks privateEndpoints privateLinkServices',
  'network: publicIPAddresses publicIPPrefixes routeTables trafficManagerProfiles virtualNetworkGateways virtualNetworks',
  'notificationHubs: namespaces namespaces/notificationHubs',
  'operationalInsights: workspaces',
  'redHatOpenShift: openShiftClusters',
  'search: searchServices',
  'serviceBus: namespaces',
  'signalRService: signalR signalR/replicas',
  'sql: servers servers/databases servers/elasticPools',
  'storage: storageAccounts',
  'synapse: workspaces workspaces/bigDataPools',
  'web: serverFarms sites',
];

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  aksresources: ['containerService: fleets/autoUpgradeProfiles fleets/members fleets/updateRuns fleets/updateStrategies'],
  authorizationresources: ['authorization: roleAssignments roleDefinitions'],
  dnsresources: [
    'network: dnsZones/A dnsZones/AAAA dnsZones/CNAME dnsZones/MX dnsZones/PTR dnsZones/SRV dnsZones/TXT',
    'network: privateDnsZones/A privateDnsZones/AAAA privateDnsZones/CNAME privateDnsZones/MX privateDnsZones/PTR privateDnsZones/SRV privateDnsZones/TXT',
  ],
  insightresources: ['insights: dataCollectionRuleAssociations'],
  kubernetesconfigurationresources: ['kubernetesConfiguration: extensions fluxConfigurations'],
  kustoresources: ['kusto: clusters/databases/dataConnections'],
  networkresources: ['network: firewallPolicies/ruleCollectionGroups'],
  recoveryservicesresources: ['dataProtection: backupVaults/backupInstances backupVaults/backupPolicies'],
  resourcecontainers: ['resources: resourceGroups'],
};

const tables = new Map(Object.entries({ resources: RESOURCES, ...OTHERS }).flatMap(([table, lines]) => lines.flatMap((line) => {
  const [namespace, types = ''] = line.split(': ');
  return types.split(' ').map((type): [string, string] => [`microsoft.${namespace}/${type}`.toLowerCase(), table]);
})));

/**
 * The table of Azure Resource Graph with the resources of an ARM type (case-insensitive); undefined if no table is documented.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/reference/supported-tables-resources
 */
export function resourceGraphTableOf(armType: string): string | undefined {
  return tables.get(armType.toLowerCase());
}

/** All ARM types that have a table, in lower case. */
export function resourceGraphTypes(): string[] {
  return [...tables.keys()];
}
