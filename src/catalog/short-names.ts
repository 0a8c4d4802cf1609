/**
 * Names of kinds as people say them, where the operator's begin with the path of their owners, or with a word that many services have
 * (`Server`, `Account`): service → kinds, or with `*` their beginnings, and the name or beginning in its place.
 */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apimanagement: {
    'Backend': 'ApiManagementBackend',
    'Certificate': 'ApiManagementCertificate',
    'Diagnostic': 'ApiManagementDiagnostic',
    'Group': 'ApiManagementGroup',
    'Logger': 'ApiManagementLogger',
    'NamedValue': 'ApiManagementNamedValue',
    'Policy': 'ApiManagementPolicy',
    'PolicyFragment': 'ApiManagementPolicyFragment',
    'Product*': 'ApiManagementProduct*',
    'Service*': 'ApiManagement*',
    'Service': 'ApiManagementService',
    'Subscription': 'ApiManagementSubscription',
    'User': 'ApiManagementUser',
  },
  cache: { Redis: 'RedisCache' },
  cdn: {
    'Afd*': 'FrontDoor*',
    'Profile': 'CdnProfile',
    'ProfilesEndpoint': 'CdnEndpoint',
    'Route': 'FrontDoorRoute',
    'Rule': 'FrontDoorRule',
    'RuleSet': 'FrontDoorRuleSet',
    'Secret': 'FrontDoorSecret',
    'SecurityPolicy': 'FrontDoorSecurityPolicy',
  },
  cognitiveservices: { Account: 'CognitiveServicesAccount', Deployment: 'CognitiveServicesDeployment', Project: 'CognitiveServicesProject' },
  compute: { VirtualMachinesExtension: 'VirtualMachineExtension', VirtualMachineScaleSetsExtension: 'ScaleSetExtension' },
  containerregistry: { 'Registry*': 'ContainerRegistry*' },
  containerservice: { 'Fleets*': 'Fleet*', 'ManagedCluster': 'AksCluster', 'ManagedClustersAgentPool': 'AgentPool' },
  datafactory: { Factory: 'DataFactory' },
  dbformariadb: { Configuration: 'MariaDbConfiguration', Database: 'MariaDbDatabase', Server: 'MariaDbServer' },
  dbformysql: { 'FlexibleServer': 'MySqlServer', 'FlexibleServers*': 'MySqlServer*', 'FlexibleServersDatabase': 'MySqlDatabase', 'User': 'MySqlUser' },
  dbforpostgresql: {
    'FlexibleServer': 'PostgreSqlServer', 'FlexibleServers*': 'PostgreSqlServer*', 'FlexibleServersDatabase': 'PostgreSqlDatabase', 'User': 'PostgreSqlUser',
  },
  documentdb: {
    'DatabaseAccount': 'CosmosAccount', 'FirewallRule': 'MongoClusterFirewallRule', 'Mongodb*': 'CosmosMongodb*', 'Sql*': 'CosmosSql*',
  },
  eventgrid: { Domain: 'EventGridDomain', DomainsTopic: 'EventGridDomainTopic', EventSubscription: 'EventGridSubscription', Topic: 'EventGridTopic' },
  eventhub: {
    'Namespace': 'EventHubNamespace',
    'Namespaces*': 'EventHubNamespace*',
    'NamespacesEventhub': 'EventHub',
    'NamespacesEventhubs*': 'EventHub*',
    'NamespacesEventhubsConsumerGroup': 'ConsumerGroup',
  },
  insights: { Component: 'ApplicationInsightsComponent' },
  keyvault: { Vault: 'KeyVault' },
  kusto: {
    Cluster: 'KustoCluster',
    DataConnection: 'KustoDataConnection',
    Database: 'KustoDatabase',
    PrincipalAssignment: 'KustoDatabasePrincipalAssignment',
    ClusterPrincipalAssignment: 'KustoClusterPrincipalAssignment',
  },
  machinelearningservices: { 'Registry': 'MachineLearningRegistry', 'Workspace': 'MachineLearningWorkspace', 'Workspaces*': 'MachineLearning*' },
  monitor: { Account: 'MonitorWorkspace' },
  network: {
    'DnsForwardingRuleSets*': 'Dns*',
    'DnsForwardingRuleSetsVirtualNetworkLink': 'DnsForwardingRulesetLink',
    'DnsResolvers*': 'DnsResolver*',
    'DnsZones*': 'Dns*',
    'FirewallPolicies*': 'FirewallPolicy*',
    'LoadBalancers*': '*',
    'NetworkSecurityGroups*': '*',
    'NetworkWatchers*': '*',
    'PrivateDnsZones*': 'PrivateDns*',
    'PrivateDnsZonesVirtualNetworkLink': 'PrivateDnsZoneLink',
    'PrivateEndpoints*': '*',
    'RouteTables*': '*',
    'TrafficManagerProfiles*': 'TrafficManager*',
    'VirtualNetworks*': '*',
  },
  notificationhubs: {
    'Namespace': 'NotificationHubNamespace', 'Namespaces*': 'NotificationHubNamespace*', 'NotificationHubs*': 'NotificationHub*',
  },
  operationalinsights: { Workspace: 'LogAnalyticsWorkspace' },
  servicebus: {
    'Namespace': 'ServiceBusNamespace',
    'Namespaces*': 'ServiceBus*',
    'NamespacesAuthorizationRule': 'ServiceBusNamespaceAuthorizationRule',
    'NamespacesTopicsSubscription': 'ServiceBusSubscription',
    'NamespacesTopicsSubscriptions*': 'ServiceBusSubscription*',
    'TopicAuthorizationRule': 'ServiceBusTopicAuthorizationRule',
  },
  signalrservice: { CustomCertificate: 'SignalRCustomCertificate', CustomDomain: 'SignalRCustomDomain', Replica: 'SignalRReplica' },
  sql: {
    'Server': 'SqlServer',
    'Servers*': 'SqlServer*',
    'ServersDatabase': 'SqlDatabase',
    'ServersDatabases*': 'SqlDatabase*',
    'ServersElasticPool': 'SqlElasticPool',
    'User': 'SqlUser',
  },
  storage: {
    'StorageAccounts*': '*',
    'StorageAccountsBlobServicesContainer': 'BlobContainer',
    'StorageAccountsFileServicesShare': 'FileShare',
    'StorageAccountsManagementPolicy': 'StorageManagementPolicy',
    'StorageAccountsQueueServicesQueue': 'StorageQueue',
    'StorageAccountsTableServicesTable': 'StorageTable',
  },
  subscription: { Alias: 'SubscriptionAlias' },
  synapse: { Workspace: 'SynapseWorkspace', WorkspacesBigDataPool: 'SynapseSparkPool' },
  web: { ServerFarm: 'AppServicePlan', Site: 'WebApp', SitesSourcecontrol: 'WebAppSourceControl' },
};

/**
 * The name by which people know a kind, for instance `EventHub` for `NamespacesEventhub` of `eventhub`.
 * @return undefined where the operator's name is one of that sort
 */
export function shortNameOf(service: string, kind: string): string | undefined {
  const names = NAMES[service] ?? {};
  if (Object.hasOwn(names, kind)) return names[kind];
  const beginnings = Object.keys(names).filter((name) => name.endsWith('*') && startsWithWord(kind, name.slice(0, -1)));
  const [longest] = beginnings.sort((a, b) => b.length - a.length);
  return longest && names[longest]!.slice(0, -1) + kind.slice(longest.length - 1);
}

function startsWithWord(kind: string, beginning: string): boolean {
  return kind.startsWith(beginning) && /^(?:[A-Z]|$)/.test(kind.slice(beginning.length));
}
