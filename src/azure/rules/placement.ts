import { eachText } from './finders';
import { LEARN, ofMembers, rule, violation, type AzureRule, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const ZONES = [`${LEARN}/reliability/availability-zones-overview`, 'AvailabilityZoneNotSupported'] as const;
const IDENTITIES = 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/overview';
const REGIONS = [`${LEARN}/azure-resource-manager/troubleshooting/error-not-available`, 'LocationNotAvailableForResourceType'] as const;

/** Kinds that lie in a region, of which people who write another one's `global` may think otherwise. */
const REGIONAL = [
  'resources.azure.com/ResourceGroup', 'storage.azure.com/StorageAccount', 'keyvault.azure.com/Vault', 'network.azure.com/VirtualNetwork',
  'network.azure.com/PublicIPAddress', 'network.azure.com/NetworkSecurityGroup', 'network.azure.com/PrivateEndpoint',
  'network.azure.com/NatGateway', 'containerservice.azure.com/ManagedCluster', 'containerregistry.azure.com/Registry',
  'dbforpostgresql.azure.com/FlexibleServer', 'dbformysql.azure.com/FlexibleServer', 'sql.azure.com/Server', 'cache.azure.com/Redis',
  'servicebus.azure.com/Namespace', 'eventhub.azure.com/Namespace', 'operationalinsights.azure.com/Workspace',
  'insights.azure.com/Component', 'managedidentity.azure.com/UserAssignedIdentity', 'app.azure.com/ContainerApp',
  'app.azure.com/ManagedEnvironment', 'web.azure.com/ServerFarm',
];
/** Kinds that lie in no region. */
const GLOBAL = [
  'network.azure.com/DnsZone', 'network.azure.com/PrivateDnsZone', 'network.azure.com/PrivateDnsZonesVirtualNetworkLink',
  'network.azure.com/TrafficManagerProfile',
];

const ZONE_PATHS = [
  'zones[]', 'availabilityZones[]', 'agentPoolProfiles[].availabilityZones[]', 'availabilityZone', 'highAvailability.standbyAvailabilityZone',
];

export const PLACEMENT_RULES: readonly AzureRule[] = [
  rule('global-location', GLOBAL, 'The resource is global.', REGIONS, eachText('location', (value) =>
    (value.toLowerCase() === 'global' ? undefined : [`is '${value}', but the resource lies in no region`, 'write global']))),
  rule('regional-location', REGIONAL, 'The resource lies in a region.', REGIONS, eachText('location', (value) =>
    (value.toLowerCase() === 'global' ? [`is '${value}', but the resource lies in a region`, 'write a region, e.g. uksouth'] : undefined))),
  rule('zone', [], 'A region has the availability zones 1, 2 and 3.', ZONES, ofMembers(ZONE_PATHS, ({ spec }) =>
    ZONE_PATHS.flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }): readonly Violation[] =>
      (typeof value === 'string' && /^\d+$/.test(value) && !/^[123]$/.test(value)
        ? violation(field, `'${value}' is no zone`, 'write 1, 2 or 3') : [])))),
  rule('identity-missing', [], 'An identity of type UserAssigned names the user-assigned identities.', [IDENTITIES, 'MissingIdentityIds'], ofMembers(['identity'], ({ spec }) => {
    const type = wordAt(spec, 'identity.type');
    if (!type?.includes('userassigned')) return [];
    return valuesAt(spec, 'identity.userAssignedIdentities[]').length > 0 ? []
      : violation('identity.userAssignedIdentities', `is missing, but identity.type is ${String(valueAtPath(spec, 'identity.type'))}`, 'name the identities');
  })),
  rule('identity-extra', [], 'User-assigned identities need an identity of type UserAssigned.', [IDENTITIES, 'BadRequest'], ofMembers(['identity'], ({ spec }) => {
    const type = wordAt(spec, 'identity.type');
    if (type === undefined || type.includes('userassigned')) return [];
    return valuesAt(spec, 'identity.userAssignedIdentities[]').length === 0 ? []
      : violation('identity.type', `is ${String(valueAtPath(spec, 'identity.type'))}, but userAssignedIdentities is given`, 'write UserAssigned, or remove the identities');
  })),
];
