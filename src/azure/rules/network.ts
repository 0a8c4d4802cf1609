import { between, eachNumber, eachText, exclusive, fits, lengthBetween, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { overlap, parseAddress, parseCidr } from '../../util/cidr';

const GROUP_RULE = 'network.azure.com/NetworkSecurityGroupsSecurityRule';
const ROUTE = 'network.azure.com/RouteTablesRoute';
const PUBLIC_IP = 'network.azure.com/PublicIPAddress';
const NAT = 'network.azure.com/NatGateway';
const BALANCER = 'network.azure.com/LoadBalancer';
const GROUPS = `${LEARN}/virtual-network/network-security-groups-overview`;
const ROUTES = [`${LEARN}/virtual-network/virtual-networks-udr-overview`, 'InvalidNextHopIpAddress'] as const;
const ADDRESSES = [`${LEARN}/virtual-network/ip-services/public-ip-addresses`, 'InvalidRequestFormat'] as const;

const PORTS = ['sourcePortRange', 'destinationPortRange', 'sourcePortRanges[]', 'destinationPortRanges[]'];
const SOURCES = ['sourceAddressPrefix', 'destinationAddressPrefix', 'sourceAddressPrefixes[]', 'destinationAddressPrefixes[]'];

/** `443`, `8000-8100` or `*`. */
function portProblem(value: string): readonly [message: string, fix: string] | undefined {
  if (value === '*') return undefined;
  const ports = /^(\d+)(?:-(\d+))?$/.exec(value.trim());
  const [first, last] = [Number(ports?.[1]), Number(ports?.[2] ?? ports?.[1])];
  if (!ports || first > 65_535 || last > 65_535) return [`'${value}' is no port or range of ports of 0 to 65535`, 'write 443, 8000-8100 or *'];
  return first > last ? [`'${value}' ends before it begins`, 'write the lower port first'] : undefined;
}

export const NETWORK_RULES: readonly AzureRule[] = [
  rule('security-rule-port', GROUP_RULE, 'A port is 0 to 65535, a range has the lower one first.', [GROUPS, 'SecurityRuleInvalidPortRange'],
    ...PORTS.map((path) => eachText(path, portProblem))),
  rule('security-rule-priority', GROUP_RULE, 'A priority is 100 to 4096.', [GROUPS, 'SecurityRuleInvalidPriority'], between('priority', 100, 4096)),
  rule('security-rule-priority-taken', GROUP_RULE, 'Rules of one group and direction have different priorities.', [GROUPS, 'SecurityRuleConflict'],
    (subject) => eachNumber('priority', (priority) => {
      const direction = wordAt(subject.spec, 'direction');
      const other = subject.siblings.find((one) => valueAtPath(one.spec, 'priority') === priority && wordAt(one.spec, 'direction') === direction);
      return other ? [`${priority} is taken by rule '${other.name}' of this direction`, 'give each its own, unique in the group'] : undefined;
    })(subject)),
  rule('security-rule-address', GROUP_RULE, 'A prefix is an address, a range, a service tag or `*`.', [GROUPS, 'SecurityRuleInvalidAddressPrefix'],
    ...SOURCES.map((path) => eachText(path, (value) =>
      (/^[\d.]+(\/\d*)?$|:/.test(value) && !parseAddress(value) && !parseCidr(value)
        ? [`'${value}' is no address or range`, 'write it like 10.0.0.0/16, or a service tag'] : undefined)))),
  rule('security-rule-one-or-many', GROUP_RULE, 'One port or prefix excludes a list of them.', [GROUPS, 'SecurityRuleParameterContainsUnsupportedValue'],
    exclusive('sourcePortRange', 'sourcePortRanges'), exclusive('destinationPortRange', 'destinationPortRanges'),
    exclusive('sourceAddressPrefix', 'sourceAddressPrefixes'), exclusive('destinationAddressPrefix', 'destinationAddressPrefixes')),
  rule('security-rule-complete', GROUP_RULE, 'A rule has ports and addresses of both sides; `*` is any.', [GROUPS, 'SecurityRuleParametersMissing'], ({ spec }) => [
    ['sourcePortRange', 'sourcePortRanges'], ['destinationPortRange', 'destinationPortRanges'],
    ['sourceAddressPrefix', 'sourceAddressPrefixes', 'sourceApplicationSecurityGroups'],
    ['destinationAddressPrefix', 'destinationAddressPrefixes', 'destinationApplicationSecurityGroups'],
  ].flatMap(([one, ...more]) => ([one!, ...more].some((path) => valueAtPath(spec, path) !== undefined)
    ? [] : violation(one!, `is missing, and so is ${more.join(' and ')}`, 'write * for any')))),
  rule('security-rule-any-in-list', GROUP_RULE, 'A list of prefixes or ports has no `*`.', [GROUPS, 'SecurityRuleParameterContainsUnsupportedValue'],
    ...[...PORTS, ...SOURCES].filter((path) => path.endsWith('[]')).map((path) => eachText(path, (value) =>
      (value === '*' ? ['is * in a list', 'write * for the single member in the place of the list'] : undefined)))),
  rule('security-rule-description', GROUP_RULE, 'A description has 140 characters at most.', [GROUPS, 'InvalidRequestFormat'], lengthBetween('description', 0, 140)),
  rule('route-prefix', ROUTE, 'A route has a range of addresses or a service tag.', [ROUTES[0], 'InvalidAddressPrefixFormat'], eachText('addressPrefix', (value) =>
    (/^[\d.]+(\/\d*)?$|:/.test(value) && !parseCidr(value) ? [`'${value}' is no range of addresses`, 'write it like 10.0.0.0/16, or a service tag'] : undefined))),
  rule('route-next-hop', ROUTE, 'A next hop of type VirtualAppliance has an address, and no other has one.', ROUTES, ({ spec }) => {
    const [type, address] = [wordAt(spec, 'nextHopType'), valueAtPath(spec, 'nextHopIpAddress')];
    if (type === undefined) return [];
    if (type === 'virtualappliance' && !address) return [{ field: 'nextHopIpAddress', message: 'is missing, but nextHopType is VirtualAppliance', fix: 'give the address of the appliance' }];
    return type !== 'virtualappliance' && address
      ? [{ field: 'nextHopIpAddress', message: 'is for nextHopType VirtualAppliance', fix: 'remove it' }] : [];
  }, eachText('nextHopIpAddress', (value) => (value === '' || parseAddress(value) ? undefined : [`'${value}' is no address`, 'write an IP address']))),
  rule('public-ip-static', PUBLIC_IP, 'An address of SKU Standard is static.', ADDRESSES, ({ spec }) =>
    (wordAt(spec, 'sku.name') === 'standard' && wordAt(spec, 'publicIPAllocationMethod') === 'dynamic'
      ? [{ field: 'publicIPAllocationMethod', message: 'is Dynamic, but sku.name is Standard', fix: 'write Static' }] : [])),
  rule('public-ip-global', PUBLIC_IP, 'Tier Global needs SKU Standard.', ADDRESSES, ({ spec }) =>
    (wordAt(spec, 'sku.tier') === 'global' && wordAt(spec, 'sku.name') === 'basic'
      ? [{ field: 'sku.tier', message: 'is Global, but sku.name is Basic', fix: 'write sku.name: Standard' }] : [])),
  rule('public-ip-basic-zones', PUBLIC_IP, 'An address of SKU Basic has no zones.', ADDRESSES,
    onlyIf(['zones'], ({ spec }) => wordAt(spec, 'sku.name') !== 'basic', 'needs sku.name Standard', 'remove it, or use Standard')),
  rule('public-ip-idle', PUBLIC_IP, 'A connection without traffic ends after 4 to 30 minutes.', [ADDRESSES[0], 'PublicIPIdleTimeoutIsOutOfRange'], between('idleTimeoutInMinutes', 4, 30, 'minutes')),
  rule('public-ip-label', PUBLIC_IP, 'A domain label has 3 to 63 lower-case letters, digits and hyphens, a letter first.', [ADDRESSES[0], 'InvalidDomainNameLabel'],
    fits('dnsSettings.domainNameLabel', /^[a-z][a-z0-9-]{1,61}[a-z0-9]$/, 'no domain label', 'write 3 to 63 lower-case letters, digits and hyphens, a letter first')),
  rule('nat-gateway-address', NAT, 'A gateway takes addresses of SKU Standard.', [`${LEARN}/nat-gateway/nat-gateway-resource`, 'InvalidRequestFormat'], (subject) =>
    valuesAt(subject.spec, 'publicIpAddresses[].reference').flatMap(({ field, value }) => {
      const address = subject.referenced(value);
      return address && wordAt(address.spec, 'sku.name') === 'basic'
        ? violation(field, `'${address.name}' is of SKU Basic`, 'use an address of SKU Standard') : [];
    })),
  rule('bastion-address', 'network.azure.com/BastionHost', 'Bastion takes a static address of SKU Standard.', [`${LEARN}/bastion/configuration-settings#public-ip`, 'InvalidRequestFormat'], (subject) =>
    valuesAt(subject.spec, 'ipConfigurations[].publicIPAddress.reference').flatMap(({ field, value }) => {
      const address = subject.referenced(value);
      return address && wordAt(address.spec, 'sku.name') === 'basic'
        ? violation(field, `'${address.name}' is of SKU Basic`, 'use an address of SKU Standard') : [];
    })),
  rule('bastion-subnet', 'network.azure.com/BastionHost', 'Bastion lies in the subnet AzureBastionSubnet.', [`${LEARN}/bastion/configuration-settings#subnet`, 'InvalidSubnetName'], (subject) =>
    valuesAt(subject.spec, 'ipConfigurations[].subnet.reference').flatMap(({ field, value }) => {
      const subnet = subject.referenced(value);
      return subnet && subnet.name.toLowerCase() !== 'azurebastionsubnet'
        ? violation(field, `is the subnet '${subnet.name}'`, 'name the subnet AzureBastionSubnet') : [];
    })),
  rule('peering-to-itself', 'network.azure.com/VirtualNetworksVirtualNetworkPeering', 'A network is not peered with itself.', [`${LEARN}/virtual-network/virtual-network-peering-overview`, 'InvalidRequestFormat'], (subject) => {
    const remote = subject.referenced(valueAtPath(subject.spec, 'remoteVirtualNetwork.reference'));
    const { owner } = subject;
    return remote && owner && remote.kind === owner.kind && remote.name === owner.name && remote.spec === owner.spec
      ? violation('remoteVirtualNetwork.reference', 'is the network that owns the peering', 'name another network') : [];
  }),
  rule('peering-overlap', 'network.azure.com/VirtualNetworksVirtualNetworkPeering', 'Peered networks have different addresses.', [`${LEARN}/virtual-network/virtual-network-peering-overview`, 'VnetAddressSpacesOverlap'], (subject) => {
    const remote = subject.referenced(valueAtPath(subject.spec, 'remoteVirtualNetwork.reference'));
    // A peering of subnets leaves the rest of the networks apart.
    if (!remote || !subject.owner || remote.spec === subject.owner.spec || valueAtPath(subject.spec, 'peerCompleteVnets') === false) return [];
    const spaces = (network: AzureSubject) => valuesAt(network.spec, 'addressSpace.addressPrefixes[]').flatMap(({ value }) => (typeof value === 'string' ? parseCidr(value) ?? [] : []));
    const own = spaces(subject.owner);
    return spaces(remote).some((cidr) => own.some((other) => overlap(cidr, other)))
      ? violation('remoteVirtualNetwork.reference', `'${remote.name}' and '${subject.owner.name}' overlap in their address spaces`, 'give the networks different ranges') : [];
  }),
  rule('nat-gateway-idle', NAT, 'A connection without traffic ends after 4 to 120 minutes.',
    [`${LEARN}/nat-gateway/nat-gateway-resource`, 'InvalidRequestFormat'], between('idleTimeoutInMinutes', 4, 120, 'minutes')),
  rule('nat-gateway-zones', NAT, 'A gateway of SKU Standard is in one zone, or in none.', [`${LEARN}/nat-gateway/nat-availability-zones`, 'InvalidRequestFormat'], ({ spec }) =>
    (wordAt(spec, 'sku.name') === 'standard' && valuesAt(spec, 'zones[]').length > 1
      ? [{ field: 'zones', message: 'has several zones', fix: 'give one, or a gateway for each' }] : [])),
  rule('load-balancer-ports', BALANCER, 'A frontend port is 1 to 65534; a backend or probe port 1 to 65535.', [`${LEARN}/load-balancer/manage`, 'InvalidRequestFormat'], (subject) => [
    ...between('inboundNatRules[].frontendPort', 0, 65_534)(subject), ...between('inboundNatRules[].backendPort', 0, 65_535)(subject),
    ...between('probes[].port', 1, 65_535)(subject), ...between('loadBalancingRules[].frontendPort', 0, 65_534)(subject),
    ...between('loadBalancingRules[].backendPort', 0, 65_535)(subject),
  ]),
  rule('load-balancer-idle', BALANCER, 'A connection without traffic ends after 4 to 100 minutes.', [`${LEARN}/load-balancer/load-balancer-tcp-reset`, 'InvalidRequestFormat'],
    between('loadBalancingRules[].idleTimeoutInMinutes', 4, 100, 'minutes'), between('inboundNatRules[].idleTimeoutInMinutes', 4, 100, 'minutes'),
    between('outboundRules[].idleTimeoutInMinutes', 4, 120, 'minutes')),
];
