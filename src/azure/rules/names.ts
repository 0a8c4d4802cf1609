import { LEARN, rule, violation, type AzureRule } from './rule';
import { isName, nameFactsOf } from '../names/name-facts';

const PAGE = `${LEARN}/azure-resource-manager/management/resource-name-rules`;

interface NameRule {
  readonly kinds: readonly string[];
  readonly pattern: RegExp;
  /** The rule in words. */
  readonly text: string;
}

/** ARM types of the kinds whose names `catalog/overlays/name-rules.yaml` has a rule for. Other kinds have theirs in the schema. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app.azure.com': {
    ContainerApp: 'Microsoft.App/containerApps',
  },
  'batch.azure.com': {
    BatchAccount: 'Microsoft.Batch/batchAccounts',
  },
  'cache.azure.com': {
    Redis: 'Microsoft.Cache/redis',
  },
  'cdn.azure.com': {
    Profile: 'Microsoft.Cdn/profiles',
    ProfilesEndpoint: 'Microsoft.Cdn/profiles/endpoints',
  },
  'compute.azure.com': {
    AvailabilitySet: 'Microsoft.Compute/availabilitySets',
    VirtualMachine: 'Microsoft.Compute/virtualMachines',
    VirtualMachineScaleSet: 'Microsoft.Compute/virtualMachineScaleSets',
  },
  'containerinstance.azure.com': {
    ContainerGroup: 'Microsoft.ContainerInstance/containerGroups',
  },
  'containerregistry.azure.com': {
    Registry: 'Microsoft.ContainerRegistry/registries',
  },
  'dbformariadb.azure.com': {
    Server: 'Microsoft.DBforMariaDB/servers',
  },
  'dbformysql.azure.com': {
    FlexibleServer: 'Microsoft.DBforMySQL/flexibleServers',
  },
  'dbforpostgresql.azure.com': {
    FlexibleServer: 'Microsoft.DBforPostgreSQL/flexibleServers',
  },
  'devices.azure.com': {
    IotHub: 'Microsoft.Devices/IotHubs',
  },
  'documentdb.azure.com': {
    DatabaseAccount: 'Microsoft.DocumentDB/databaseAccounts',
  },
  'eventgrid.azure.com': {
    Domain: 'Microsoft.EventGrid/domains',
    EventSubscription: 'Microsoft.EventGrid/eventSubscriptions',
    Topic: 'Microsoft.EventGrid/topics',
  },
  'eventhub.azure.com': {
    Namespace: 'Microsoft.EventHub/namespaces',
  },
  'keyvault.azure.com': {
    Vault: 'Microsoft.KeyVault/vaults',
  },
  'kusto.azure.com': {
    Cluster: 'Microsoft.Kusto/clusters',
  },
  'managedidentity.azure.com': {
    UserAssignedIdentity: 'Microsoft.ManagedIdentity/userAssignedIdentities',
  },
  'network.frontdoor.azure.com': {
    WebApplicationFirewallPolicy: 'Microsoft.Network/FrontDoorWebApplicationFirewallPolicies',
  },
  'network.azure.com': {
    ApplicationGateway: 'Microsoft.Network/applicationGateways',
    ApplicationSecurityGroup: 'Microsoft.Network/applicationSecurityGroups',
    BastionHost: 'Microsoft.Network/bastionHosts',
    FirewallPolicy: 'Microsoft.Network/firewallPolicies',
    LoadBalancer: 'Microsoft.Network/loadBalancers',
    NetworkInterface: 'Microsoft.Network/networkInterfaces',
    NetworkSecurityGroup: 'Microsoft.Network/networkSecurityGroups',
    NetworkSecurityGroupsSecurityRule: 'Microsoft.Network/networkSecurityGroups/securityRules',
    NetworkWatcher: 'Microsoft.Network/networkWatchers',
    PrivateDnsZonesVirtualNetworkLink: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
    PrivateLinkService: 'Microsoft.Network/privateLinkServices',
    PublicIPAddress: 'Microsoft.Network/publicIPAddresses',
    PublicIPPrefix: 'Microsoft.Network/publicIPPrefixes',
    RouteTable: 'Microsoft.Network/routeTables',
    RouteTablesRoute: 'Microsoft.Network/routeTables/routes',
    TrafficManagerProfile: 'Microsoft.Network/trafficmanagerprofiles',
    VirtualNetworkGateway: 'Microsoft.Network/virtualNetworkGateways',
    VirtualNetworksSubnet: 'Microsoft.Network/virtualNetworks/subnets',
    VirtualNetworksVirtualNetworkPeering: 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings',
  },
  'notificationhubs.azure.com': {
    Namespace: 'Microsoft.NotificationHubs/namespaces',
  },
  'resources.azure.com': {
    ResourceGroup: 'Microsoft.Resources/resourceGroups',
  },
  'search.azure.com': {
    SearchService: 'Microsoft.Search/searchServices',
  },
  'servicebus.azure.com': {
    Namespace: 'Microsoft.ServiceBus/namespaces',
  },
  'sql.azure.com': {
    Server: 'Microsoft.Sql/servers',
    ServersDatabase: 'Microsoft.Sql/servers/databases',
    ServersElasticPool: 'Microsoft.Sql/servers/elasticPools',
    ServersFailoverGroup: 'Microsoft.Sql/servers/failoverGroups',
  },
  'storage.azure.com': {
    StorageAccount: 'Microsoft.Storage/storageAccounts',
    StorageAccountsBlobServicesContainer: 'Microsoft.Storage/storageAccounts/blobServices/containers',
    StorageAccountsFileServicesShare: 'Microsoft.Storage/storageAccounts/fileServices/shares',
    StorageAccountsQueueServicesQueue: 'Microsoft.Storage/storageAccounts/queueServices/queues',
  },
  'synapse.azure.com': {
    Workspace: 'Microsoft.Synapse/workspaces',
    WorkspacesBigDataPool: 'Microsoft.Synapse/workspaces/bigDataPools',
  },
  'web.azure.com': {
    ServerFarm: 'Microsoft.Web/serverfarms',
    Site: 'Microsoft.Web/sites',
  },
};
const ARM_TYPES: ReadonlyMap<string, string> = new Map(Object.entries(TYPES).flatMap(([group, kinds]) =>
  Object.entries(kinds).map(([kind, type]) => [`${group}/${kind}`, type] as const)));

/** Names of kinds that have no rule there: a rule there is also for names that are made from words. */
const OTHERS: readonly NameRule[] = [
  {
    kinds: ['servicebus.azure.com/NamespacesQueue', 'servicebus.azure.com/NamespacesTopic'],
    pattern: /^(?=.{1,260}$)[A-Za-z0-9]([\w./~-]*[A-Za-z0-9])?$/,
    text: '1 to 260 letters, digits and . - _ ~ (the service\'s /), a letter or digit at each end',
  },
  { kinds: ['servicebus.azure.com/NamespacesTopicsSubscription'], pattern: /^.{1,50}$/, text: '1 to 50 characters' },
  { kinds: ['app.azure.com/Job'], pattern: /^(?!.*--)[a-z][a-z0-9-]{0,30}[a-z0-9]$/, text: '2 to 32 lower-case letters, digits and hyphens, a letter first' },
  {
    kinds: ['network.azure.com/VirtualNetwork', 'network.azure.com/PrivateEndpoint', 'network.azure.com/NatGateway'],
    pattern: /^[A-Za-z0-9]([\w.-]{0,78}\w)?$/,
    text: 'up to 80 letters, digits and . - _, a letter or digit first',
  },
  {
    kinds: ['storage.azure.com/StorageAccountsTableServicesTable'],
    pattern: /^(?!tables$)[A-Za-z][A-Za-z0-9]{2,62}$/i,
    text: '3 to 63 letters and digits, a letter first; tables is reserved',
  },
  { kinds: ['cache.azure.com/RedisFirewallRule'], pattern: /^[A-Za-z0-9_]{1,256}$/, text: '1 to 256 letters, digits and _' },
];

/** The rule for a kind's names in words, if the name breaks it. */
function broken(kind: string, name: string): string | undefined {
  const type = ARM_TYPES.get(kind);
  if (type === undefined) {
    const own = OTHERS.find(({ kinds }) => kinds.includes(kind));
    return own && !own.pattern.test(name) ? own.text : undefined;
  }
  const facts = nameFactsOf(type);
  return isName(facts, name) ? undefined : `${facts.min ?? 0} to ${facts.max ?? Infinity} ${facts.text ?? 'characters'}`;
}

const KINDS = [...ARM_TYPES.keys(), ...OTHERS.flatMap(({ kinds }) => kinds)];

export const NAME_RULES: readonly AzureRule[] = [
  rule('resource-name', KINDS, 'A name has the length and the characters of its type.', [PAGE, 'InvalidResourceName'], ({ kind, name }) => {
    const text = broken(kind, name);
    return text === undefined ? [] : violation('azureName', `'${name.slice(0, 80)}' is no name of a ${kind.split('/')[1]!}`, `write ${text}`);
  }),
];
