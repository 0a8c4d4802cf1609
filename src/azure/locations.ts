/**
 * Types whose location is `global`, in lower case. Some also take the name of a region, e.g. action groups.
 * @see https://learn.microsoft.com/azure/reliability/regions-nonregional-services
 */
export const GLOBAL_TYPES: ReadonlySet<string> = new Set([
  'microsoft.alertsmanagement/smartdetectoralertrules',
  'microsoft.cdn/profiles',
  'microsoft.cdn/profiles/afdendpoints',
  'microsoft.cdn/profiles/endpoints',
  'microsoft.communication/communicationservices',
  'microsoft.communication/emailservices',
  'microsoft.communication/emailservices/domains',
  'microsoft.insights/actiongroups',
  'microsoft.insights/activitylogalerts',
  'microsoft.insights/metricalerts',
  'microsoft.network/dnszones',
  'microsoft.network/frontdoorwebapplicationfirewallpolicies',
  'microsoft.network/privatednszones',
  'microsoft.network/privatednszones/virtualnetworklinks',
  'microsoft.network/trafficmanagerprofiles',
]);

/**
 * Types, in lower case, that Azure keeps in a region although their CRD does not require a location. Azure answers `LocationRequired`.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-providers-and-types
 */
export const REGIONAL_TYPES: ReadonlySet<string> = new Set([
  'microsoft.cognitiveservices/accounts',
  'microsoft.containerinstance/containergroups',
  'microsoft.datafactory/factories',
  'microsoft.dataprotection/backupvaults',
  'microsoft.documentdb/cassandraclusters',
  'microsoft.documentdb/databaseaccounts',
  'microsoft.eventhub/namespaces',
  'microsoft.machinelearningservices/workspaces',
  'microsoft.network/applicationgateways',
  'microsoft.network/applicationgatewaywebapplicationfirewallpolicies',
  'microsoft.network/applicationsecuritygroups',
  'microsoft.network/azurefirewalls',
  'microsoft.network/bastionhosts',
  'microsoft.network/ddosprotectionplans',
  'microsoft.network/firewallpolicies',
  'microsoft.network/loadbalancers',
  'microsoft.network/natgateways',
  'microsoft.network/networkinterfaces',
  'microsoft.network/networksecuritygroups',
  'microsoft.network/networkwatchers',
  'microsoft.network/networkwatchers/flowlogs',
  'microsoft.network/privateendpoints',
  'microsoft.network/privatelinkservices',
  'microsoft.network/publicipaddresses',
  'microsoft.network/publicipprefixes',
  'microsoft.network/routetables',
  'microsoft.network/virtualnetworkgateways',
  'microsoft.network/virtualnetworks',
]);
