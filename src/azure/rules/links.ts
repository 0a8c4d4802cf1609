import { LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const network = (kind: string) => `network.azure.com/${kind}`;
const SUBNET = network('VirtualNetworksSubnet');
const REGIONS = [`${LEARN}/virtual-network/virtual-networks-overview`, 'InvalidResourceReference'] as const;
const ENDPOINTS = [`${LEARN}/virtual-network/virtual-network-service-endpoints-overview`, 'SubnetsHaveNoServiceEndpointsConfigured'] as const;

/** References to resources that lie in the same region, by kind. */
const SAME_REGION: Readonly<Record<string, readonly string[]>> = {
  [network('NetworkInterface')]: ['ipConfigurations[].subnet.reference', 'ipConfigurations[].publicIPAddress.reference', 'networkSecurityGroup.reference'],
  [network('PrivateEndpoint')]: ['subnet.reference'],
  [network('NatGateway')]: ['publicIpAddresses[].reference', 'publicIpPrefixes[].reference'],
  [network('BastionHost')]: ['ipConfigurations[].subnet.reference', 'ipConfigurations[].publicIPAddress.reference'],
  [network('VirtualNetworkGateway')]: ['ipConfigurations[].subnet.reference', 'ipConfigurations[].publicIPAddress.reference'],
  [network('ApplicationGateway')]: ['gatewayIPConfigurations[].subnet.reference', 'frontendIPConfigurations[].publicIPAddress.reference'],
  [network('DnsResolver')]: ['virtualNetwork.reference'],
  [SUBNET]: ['natGateway.reference', 'networkSecurityGroup.reference', 'routeTable.reference'],
  'compute.azure.com/VirtualMachine': ['networkProfile.networkInterfaces[].reference', 'availabilitySet.reference'],
  'containerservice.azure.com/ManagedCluster': ['agentPoolProfiles[].vnetSubnetReference', 'agentPoolProfiles[].podSubnetReference'],
  'dbforpostgresql.azure.com/FlexibleServer': ['network.delegatedSubnetResourceReference'],
  'dbformysql.azure.com/FlexibleServer': ['network.delegatedSubnetResourceReference'],
  'app.azure.com/ManagedEnvironment': ['vnetConfiguration.infrastructureSubnetReference'],
  'web.azure.com/Site': ['serverFarmReference', 'virtualNetworkSubnetReference'],
  'cache.azure.com/Redis': ['subnetReference'],
};

interface Admission {
  readonly path: string;
  /** Service endpoints, one of which the subnet needs. */
  readonly services: readonly string[];
  /** Member beside the reference that makes Azure accept a subnet without them. */
  readonly ignore?: string;
}

/** References to subnets that a firewall admits, by kind. */
const ADMITTED: Readonly<Record<string, Admission>> = {
  'storage.azure.com/StorageAccount': { path: 'networkAcls.virtualNetworkRules[]', services: ['Microsoft.Storage', 'Microsoft.Storage.Global'] },
  'keyvault.azure.com/Vault': { path: 'properties.networkAcls.virtualNetworkRules[]', services: ['Microsoft.KeyVault'], ignore: 'ignoreMissingVnetServiceEndpoint' },
  'documentdb.azure.com/DatabaseAccount': { path: 'virtualNetworkRules[]', services: ['Microsoft.AzureCosmosDB'], ignore: 'ignoreMissingVNetServiceEndpoint' },
};

/** The region of a resource: that of a subnet is the region of its network. */
function regionOf({ kind, spec, owner }: AzureSubject): string | undefined {
  const location = wordAt(kind === SUBNET ? owner?.spec ?? {} : spec, 'location')?.replace(/ /g, '');
  return location !== undefined && /^[a-z0-9]+$/.test(location) && location !== 'global' ? location : undefined;
}

function lacksEndpoint(subject: AzureSubject, reference: unknown, field: string, services: readonly string[]): readonly Violation[] {
  const subnet = subject.referenced(reference);
  if (subnet?.kind !== SUBNET) return [];
  const enabled = valuesAt(subnet.spec, 'serviceEndpoints[].service').map(({ value }) => String(value).toLowerCase());
  return services.some((service) => enabled.includes(service.toLowerCase())) ? []
    : violation(field, `is the subnet '${subnet.name}', which has no service endpoint ${services[0]!}`, `add { service: ${services[0]!} } to the serviceEndpoints of the subnet`);
}

export const LINK_RULES: readonly AzureRule[] = [
  rule('link-region', Object.keys(SAME_REGION), 'A resource lies in the region of the subnets, addresses and plans that it uses.', REGIONS, (subject) => {
    const own = regionOf(subject);
    if (own === undefined) return [];
    const at = subject.kind === SUBNET ? undefined : 'location';
    return SAME_REGION[subject.kind]!.flatMap((path) => valuesAt(subject.spec, path)).flatMap(({ field, value }) => {
      const other = subject.referenced(value);
      const region = other && regionOf(other);
      return region === undefined || region === own ? []
        : violation(at ?? field, `is ${own}, but ${field} names '${other!.name}' in ${region}`, 'use one region for both');
    });
  }),
  rule('subnet-service-endpoint', Object.keys(ADMITTED), 'A subnet that a firewall admits has the service endpoint.', ENDPOINTS, (subject) => {
    const { path, services, ignore } = ADMITTED[subject.kind]!;
    return valuesAt(subject.spec, path).flatMap(({ field, value }) =>
      (!isRecord(value) || (ignore !== undefined && value[ignore] === true) ? [] : lacksEndpoint(subject, value.reference, `${field}.reference`, services)));
  }),
];
