import { between, eachText, lengthBetween, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { contains, parseAddress, parseCidr, type Cidr } from '../../util/cidr';
import { nearest } from '../../util/nearest';
import { isRecord } from '../../util/records';

const network = (kind: string) => `network.azure.com/${kind}`;
const [NETWORK, SUBNET, INTERFACE, ENDPOINT] = ['VirtualNetwork', 'VirtualNetworksSubnet', 'NetworkInterface', 'PrivateEndpoint'].map(network) as [string, string, string, string];
const [NAT, PEERING, GROUP_RULE, BASTION] = ['NatGateway', 'VirtualNetworksVirtualNetworkPeering', 'NetworkSecurityGroupsSecurityRule', 'BastionHost'].map(network) as [string, string, string, string];
const INBOUND = network('DnsResolversInboundEndpoint');
const FORWARDING = network('DnsForwardingRuleSetsForwardingRule');
const FAQ = `${LEARN}/virtual-network/virtual-networks-faq`;
const PEERINGS = `${LEARN}/virtual-network/virtual-network-peering-overview`;
const NAT_PAGE = `${LEARN}/nat-gateway/nat-gateway-resource`;
const RESOLVER = [`${LEARN}/dns/private-resolver-endpoints-rulesets`, 'BadRequest'] as const;
const TAGS = `${LEARN}/virtual-network/service-tags-overview`;

/** Service tags with names that other tags do not resemble. */
const SERVICE_TAGS = ['Internet', 'VirtualNetwork', 'AzureLoadBalancer', 'AzureCloud', 'AzureKeyVault', 'AzureMonitor', 'AzureActiveDirectory',
  'AzureContainerRegistry', 'AzureCosmosDB', 'AzureTrafficManager', 'GatewayManager', 'AzureResourceManager', 'AzureFrontDoor.Backend', 'AzureBackup',
  'AzureSiteRecovery', 'ApiManagement', 'AppServiceManagement', 'MicrosoftContainerRegistry', 'ServiceFabric', 'Storage', 'EventHub', 'ServiceBus'];
const LOWER_TAGS = new Map(SERVICE_TAGS.map((tag) => [tag.toLowerCase(), tag]));
/** Providers of service endpoints and services that a subnet is delegated to. */
const SUBNET_SERVICES = new Map(['Microsoft.Storage', 'Microsoft.Storage.Global', 'Microsoft.Sql', 'Microsoft.AzureCosmosDB', 'Microsoft.KeyVault', 'Microsoft.ServiceBus',
  'Microsoft.EventHub', 'Microsoft.AzureActiveDirectory', 'Microsoft.Web', 'Microsoft.CognitiveServices', 'Microsoft.ContainerRegistry'].map((name) => [name.toLowerCase(), name]));
const DELEGATIONS = new Map(['Microsoft.Web/serverFarms', 'Microsoft.DBforPostgreSQL/flexibleServers', 'Microsoft.DBforMySQL/flexibleServers',
  'Microsoft.ContainerInstance/containerGroups', 'Microsoft.App/environments', 'Microsoft.Sql/managedInstances', 'Microsoft.Netapp/volumes',
  'Microsoft.Network/dnsResolvers', 'Microsoft.Databricks/workspaces', 'Microsoft.ContainerService/managedClusters'].map((name) => [name.toLowerCase(), name]));

/** A problem where a text is nearly, and not quite, one of the known names. */
const misspelled = (known: ReadonlyMap<string, string>, what: string) => (value: string) => {
  const word = value.toLowerCase();
  if (known.has(word) || /[\d*/]/.test(word.replace(/^microsoft\.[a-z]+\//, ''))) return undefined;
  const meant = word.length < 7 ? undefined : nearest(word, known.keys(), 2);
  return meant === undefined ? undefined : [`'${value}' is no ${what}`, `write ${known.get(meant)!}`] as const;
};

/** The prefixes of the subnet that a reference names; empty if one is not known. */
function prefixesOf(subject: AzureSubject, reference: unknown): readonly Cidr[] {
  const subnet = subject.referenced(reference);
  if (subnet?.kind !== SUBNET || valuesAt(subnet.spec, 'ipamPoolPrefixAllocations[]').length > 0) return [];
  const all = ['addressPrefix', 'addressPrefixes[]'].flatMap((path) => valuesAt(subnet.spec, path)).map(({ value }) => (typeof value === 'string' ? parseCidr(value) : undefined));
  return all.every((cidr) => cidr !== undefined) ? all : [];
}

/** An address that is not in the subnet, or that Azure keeps for itself there. */
function outsideSubnet(prefixes: readonly Cidr[], address: unknown, field: string): readonly Violation[] {
  if (typeof address !== 'string') return [];
  const parsed = parseAddress(address);
  if (!parsed) return violation(field, `'${address}' is no address`, 'write an address of the subnet');
  const version = parsed.bits === 32 ? 4 : 6;
  const own = prefixes.filter((cidr) => cidr.version === version);
  if (own.length === 0) return [];
  const inside = own.find((cidr) => contains(cidr, { version, first: parsed.value, last: parsed.value, prefix: parsed.bits }));
  if (!inside) return violation(field, `'${address}' is not in the subnet`, 'write an address of the subnet');
  return version === 4 && (parsed.value < inside.first + 4n || parsed.value === inside.last)
    ? violation(field, `'${address}' is one of the addresses of the subnet that Azure keeps: the first four and the last`, 'write another address of the subnet') : [];
}

const sameTarget = (one: unknown, other: unknown) => {
  const key = (value: unknown) => (isRecord(value) ? (typeof value.armId === 'string' ? value.armId.toLowerCase() : `${String(value.group)}/${String(value.kind)}/${String(value.name)}`) : undefined);
  return key(one) !== undefined && key(one) === key(other);
};
const twice = (path: string, message: (other: string) => string): AzureRule['find'] => (subject) => {
  const own = valueAtPath(subject.spec, path);
  const other = subject.siblings.find(({ spec }) => sameTarget(own, valueAtPath(spec, path)));
  return other ? violation(path, message(other.name), 'remove one of them') : [];
};

/** Whether a prefix of a rule is IPv4 or IPv6; undefined for tags. */
const familyOf = (value: unknown) => (typeof value === 'string' ? parseCidr(value)?.version ?? (parseAddress(value)?.bits === 128 ? 6 : parseAddress(value) && 4) : undefined);

export const NETWORK_PART_RULES: readonly AzureRule[] = [
  rule('network-dns-servers', [NETWORK, INTERFACE], 'A DNS server is an IP address.', [`${LEARN}/virtual-network/virtual-networks-name-resolution-for-vms-and-role-instances`, 'InvalidRequestFormat'],
    eachText('dhcpOptions.dnsServers[]', (value) => (parseAddress(value) ? undefined : [`'${value}' is no address`, 'write the address of the server'])),
    eachText('dnsSettings.dnsServers[]', (value) => (parseAddress(value) || value.toLowerCase() === 'azureprovideddns' ? undefined : [`'${value}' is no address`, 'write the address of the server']))),
  rule('network-flow-timeout', NETWORK, 'A flow ends after 4 to 30 minutes.', ['https://learn.microsoft.com/rest/api/virtualnetwork/virtual-networks/create-or-update', 'InvalidRequestFormat'],
    between('flowTimeoutInMinutes', 4, 30, 'minutes')),
  rule('subnet-service-name', SUBNET, 'Service endpoints and delegations have the names of services.', [`${LEARN}/virtual-network/virtual-network-service-endpoints-overview`, 'SubnetHasServiceEndpointWithInvalidServiceName'],
    eachText('serviceEndpoints[].service', misspelled(SUBNET_SERVICES, 'service endpoint')), eachText('delegations[].serviceName', misspelled(DELEGATIONS, 'service that takes subnets'))),
  rule('subnet-gateway-nat', SUBNET, 'The subnet of gateways has no NAT gateway.', [NAT_PAGE, 'InvalidRequestFormat'], ({ name, spec }) =>
    (name.toLowerCase() === 'gatewaysubnet' && valueAtPath(spec, 'natGateway') !== undefined ? violation('natGateway', 'is not for GatewaySubnet', 'remove it') : [])),
  rule('nat-gateway-addresses', NAT, 'A gateway takes addresses of its SKU: IPv4 in publicIpAddresses, IPv6 in publicIpAddressesV6.', [NAT_PAGE, 'InvalidRequestFormat'], (subject) =>
    ['publicIpAddresses', 'publicIpPrefixes', 'publicIpAddressesV6', 'publicIpPrefixesV6'].flatMap((list) => valuesAt(subject.spec, `${list}[].reference`).flatMap(({ field, value }) => {
      const address = subject.referenced(value);
      if (!address) return [];
      const isV6 = wordAt(address.spec, 'publicIPAddressVersion') === 'ipv6';
      if (isV6 !== list.endsWith('V6')) return violation(field, `'${address.name}' is an address of ${isV6 ? 'IPv6' : 'IPv4'}`, `use an address of ${isV6 ? 'IPv4' : 'IPv6'}`);
      const [own, other] = [wordAt(subject.spec, 'sku.name'), wordAt(address.spec, 'sku.name')];
      return own !== undefined && other !== undefined && other !== 'basic' && (own === 'standardv2') !== (other === 'standardv2')
        ? violation(field, `'${address.name}' is of SKU ${String(valueAtPath(address.spec, 'sku.name'))}`, `use an address of SKU ${String(valueAtPath(subject.spec, 'sku.name'))}`) : [];
    }))),
  rule('public-ip-prefix-length', network('PublicIPPrefix'), 'A prefix is /21 to /31, an IPv6 prefix /127 at most.', [`${LEARN}/virtual-network/ip-services/public-ip-address-prefix`, 'InvalidRequestFormat'], (subject) =>
    between('prefixLength', 21, wordAt(subject.spec, 'publicIPAddressVersion') === 'ipv6' ? 127 : 31)(subject)),
  rule('interface-address', INTERFACE, 'A static configuration has an address of its subnet that Azure does not keep.', [FAQ, 'PrivateIPAddressNotInSubnet'], (subject) =>
    valuesAt(subject.spec, 'ipConfigurations[]').flatMap(({ field, value }) => {
      if (!isRecord(value) || wordAt(value, 'privateIPAllocationMethod') !== 'static') return [];
      if (value.privateIPAddress === undefined) return violation(`${field}.privateIPAddress`, 'is missing, but privateIPAllocationMethod is Static', 'give an address of the subnet');
      return outsideSubnet(prefixesOf(subject, valueAtPath(value, 'subnet.reference')), value.privateIPAddress, `${field}.privateIPAddress`);
    })),
  rule('private-endpoint-address', ENDPOINT, 'An endpoint has addresses of its subnet.', [FAQ, 'PrivateIPAddressNotInSubnet'], (subject) => {
    const prefixes = prefixesOf(subject, valueAtPath(subject.spec, 'subnet.reference'));
    return valuesAt(subject.spec, 'ipConfigurations[].privateIPAddress').flatMap(({ field, value }) => outsideSubnet(prefixes, value, field));
  }),
  rule('private-endpoint-message', ENDPOINT, 'A message to the owner of the target has 140 characters at most.', ['https://learn.microsoft.com/rest/api/virtualnetwork/private-endpoints/create-or-update', 'InvalidRequestFormat'],
    lengthBetween('privateLinkServiceConnections[].requestMessage', 0, 140), lengthBetween('manualPrivateLinkServiceConnections[].requestMessage', 0, 140)),
  rule('private-endpoint-zones', network('PrivateEndpointsPrivateDnsZoneGroup'), 'A group has five zones at most.', [`${LEARN}/private-link/private-endpoint-dns`, 'BadRequest'], ({ spec }) => {
    const count = valuesAt(spec, 'privateDnsZoneConfigs[]').length;
    return count > 5 ? violation('privateDnsZoneConfigs', `has ${count} zones`, 'give five at most') : [];
  }),
  rule('private-dns-link-twice', network('PrivateDnsZonesVirtualNetworkLink'), 'A network is linked to a zone once.', [`${LEARN}/dns/private-dns-virtual-network-links`, 'Conflict'],
    twice('virtualNetwork.reference', (other) => `is the network of the link '${other}' too`)),
  rule('peering-twice', PEERING, 'Two networks have one peering in each direction.', [PEERINGS, 'AnotherPeeringAlreadyReferencesRemoteVnet'],
    // Of subnets there may be several.
    (subject) => (valueAtPath(subject.spec, 'peerCompleteVnets') === false ? []
      : twice('remoteVirtualNetwork.reference', (other) => `is the network of the peering '${other}' too`)(subject))),
  rule('peering-remote-gateways', PEERING, 'A network uses the gateways of one other network.', [PEERINGS, 'InvalidRequestFormat'], ({ spec, siblings }) => {
    const other = valueAtPath(spec, 'useRemoteGateways') === true ? siblings.find((one) => valueAtPath(one.spec, 'useRemoteGateways') === true) : undefined;
    return other ? violation('useRemoteGateways', `is true, and so it is for the peering '${other.name}'`, 'write true for one peering') : [];
  }),
  rule('route-prefix-taken', network('RouteTablesRoute'), 'Each route of a table has its own prefix.', [`${LEARN}/virtual-network/virtual-networks-udr-overview`, 'RouteConflict'], ({ spec, siblings }) => {
    const own = wordAt(spec, 'addressPrefix');
    const other = own === undefined ? undefined : siblings.find((one) => wordAt(one.spec, 'addressPrefix') === own);
    return other ? violation('addressPrefix', `'${own!}' is the prefix of the route '${other.name}' too`, 'give each its own') : [];
  }),
  rule('security-rule-family', GROUP_RULE, 'Source and destination are both IPv4 or both IPv6.', [`${LEARN}/virtual-network/ip-services/ipv6-overview`, 'SecurityRuleInvalidAddressPrefix'], ({ spec }) => {
    const [from, to] = ['source', 'destination'].map((side) => [`${side}AddressPrefix`, `${side}AddressPrefixes[]`].flatMap((path) => valuesAt(spec, path))
      .flatMap(({ field, value }) => { const family = familyOf(value); return family === undefined ? [] : [{ field, family }]; }));
    const wrong = to!.find(({ family }) => from!.length > 0 && from!.every((one) => one.family !== family));
    return wrong ? violation(wrong.field, `is IPv${wrong.family}, but the source is not`, 'write a rule for each') : [];
  }),
  rule('security-rule-tag', GROUP_RULE, 'A name in a prefix is a service tag.', [TAGS, 'SecurityRuleInvalidAddressPrefix'],
    ...['sourceAddressPrefix', 'destinationAddressPrefix'].map((path) => eachText(path, misspelled(LOWER_TAGS, 'service tag')))),
  rule('bastion-features', BASTION, 'Native clients, file transfer, connections by address and links need SKU Standard; 2 to 50 instances, 2 in Basic.', [`${LEARN}/bastion/configuration-settings#skus`, 'BadRequest'],
    onlyIf(['enableTunneling', 'enableFileCopy', 'enableIpConnect', 'enableShareableLink'], ({ spec }) => {
      const sku = wordAt(spec, 'sku.name');
      return sku === undefined ? undefined : !['basic', 'developer'].includes(sku);
    }, 'needs SKU Standard', 'remove it, or use SKU Standard'),
    (subject) => (wordAt(subject.spec, 'sku.name') === 'basic' ? between('scaleUnits', 2, 2, 'instances') : between('scaleUnits', 2, 50, 'instances'))(subject)),
  rule('resolver-address', INBOUND, 'An inbound endpoint has an address of its subnet.', RESOLVER, (subject) => valuesAt(subject.spec, 'ipConfigurations[]').flatMap(({ field, value }) =>
    (isRecord(value) && wordAt(value, 'privateIpAllocationMethod') === 'static'
      ? outsideSubnet(prefixesOf(subject, valueAtPath(value, 'subnet.reference')), value.privateIpAddress, `${field}.privateIpAddress`) : []))),
  rule('resolver-domain', FORWARDING, 'A forwarded domain ends with a period.', RESOLVER,
    eachText('domainName', (value) => (value.endsWith('.') ? undefined : [`'${value}' does not end with a period`, `write ${value}.`]))),
  rule('resolver-server', FORWARDING, 'A server to forward to has an address and a port.', RESOLVER, between('targetDnsServers[].port', 1, 65_535),
    eachText('targetDnsServers[].ipAddress', (value) => (parseAddress(value) ? undefined : [`'${value}' is no address`, 'write an IP address']))),
];
