import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valuesAt, type ValueAt } from './values';
import { contains, hasHostBits, overlap, parseCidr, textOfCidr, type Cidr } from '../../util/cidr';

const NETWORK = 'network.azure.com/VirtualNetwork';
const SUBNET = 'network.azure.com/VirtualNetworksSubnet';
const FAQ = `${LEARN}/virtual-network/virtual-networks-faq`;
const SUBNETS = `${LEARN}/virtual-network/virtual-network-manage-subnet`;
const FIREWALL = `${LEARN}/firewall/firewall-faq`;

/** Prefixes that a network or a subnet has. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  [NETWORK]: ['addressSpace.addressPrefixes[]'],
  [SUBNET]: ['addressPrefix', 'addressPrefixes[]'],
};
/** Subnets that a service names, and their smallest size. */
const NAMED_SUBNETS: Readonly<Record<string, number>> = {
  gatewaysubnet: 29,
  azurefirewallsubnet: 26,
  azurefirewallmanagementsubnet: 26,
  azurebastionsubnet: 26,
  routeserversubnet: 27,
};

/** @see https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq */
const RESERVED = ['224.0.0.0/4', '255.255.255.255/32', '127.0.0.0/8', '169.254.0.0/16', '168.63.129.16/32'];

interface PrefixAt extends ValueAt {
  readonly value: string;
  readonly cidr: Cidr | undefined;
}

/** Prefixes by spec: each subnet of a network is compared with all others. */
const KNOWN = new WeakMap<object, readonly PrefixAt[]>();

function prefixesOf({ kind, spec }: AzureSubject): readonly PrefixAt[] {
  const known = KNOWN.get(spec);
  if (known) return known;
  // Azure answers with both members; a body that was read may have the same prefix in each.
  const found = new Map<string, PrefixAt>();
  for (const at of (PREFIXES[kind] ?? []).flatMap((path) => valuesAt(spec, path))) {
    const { value } = at;
    if (typeof value === 'string' && !found.has(value)) found.set(value, { ...at, value, cidr: parseCidr(value) });
  }
  const all = [...found.values()];
  KNOWN.set(spec, all);
  return all;
}

/** Each prefix that overlaps one before it in the order of addresses, with that one. */
function overlapsIn(prefixes: readonly PrefixAt[]): { readonly at: PrefixAt; readonly other: PrefixAt }[] {
  const sorted = prefixes.flatMap((at) => (at.cidr ? [{ at, cidr: at.cidr }] : []))
    .sort((a, b) => a.cidr.version - b.cidr.version || Number(a.cidr.first - b.cidr.first) || a.cidr.prefix - b.cidr.prefix);
  let widest = sorted[0];
  return sorted.slice(1).flatMap((one) => {
    const other = widest!;
    if (overlap(other.cidr, one.cidr)) return [{ at: one.at, other: other.at }];
    widest = one;
    return [];
  });
}

const eachPrefix = (problem: (at: PrefixAt, subject: AzureSubject) => readonly [message: string, fix: string] | undefined): AzureRule['find'] =>
  (subject) => prefixesOf(subject).flatMap((at): Violation[] => {
    const found = problem(at, subject);
    return found ? [{ field: at.field, message: found[0], fix: found[1] }] : [];
  });

export const ADDRESS_SPACE_RULES: readonly AzureRule[] = [
  rule('network-cidr', [NETWORK, SUBNET], 'A prefix is a range of addresses in CIDR notation.', [FAQ, 'InvalidAddressPrefixFormat'],
    eachPrefix(({ value, cidr }) => (cidr ? undefined : [`'${value}' is no address prefix`, 'write it in CIDR notation, e.g. 10.0.0.0/16']))),
  rule('network-host-bits', [NETWORK, SUBNET], 'A prefix begins with the first address of its range.', [FAQ, 'InvalidCIDRNotation'],
    eachPrefix(({ value, cidr }) => (cidr && hasHostBits(value) ? [`the address prefix '${value}' has host bits`, `write ${textOfCidr(cidr)}`] : undefined))),
  rule('subnet-prefix-size', SUBNET, 'An IPv4 subnet is /2 to /29, an IPv6 subnet /64.', [FAQ, 'NetcfgInvalidSubnet'],
    eachPrefix(({ value, cidr }) => {
      if (cidr?.version === 4 && (cidr.prefix < 2 || cidr.prefix > 29)) return [`'${value}' is not /2 to /29`, 'write a prefix of /2 to /29: Azure keeps five addresses of a subnet'];
      return cidr?.version === 6 && cidr.prefix !== 64 ? [`'${value}' is not /64`, 'write /64'] : undefined;
    })),
  rule('network-reserved-range', [NETWORK, SUBNET], 'Ranges for multicast, loopback and Azure\'s own services are not for networks.', [FAQ, 'InvalidAddressPrefix'],
    eachPrefix(({ value, cidr }) => {
      const taken = cidr && RESERVED.find((range) => overlap(cidr, parseCidr(range)!));
      return taken === undefined ? undefined : [`'${value}' has addresses of ${taken}, which Azure does not give to networks`, 'take a private range, e.g. of 10.0.0.0/8'];
    })),
  rule('subnet-delegation', SUBNET, 'A delegation names a service as `Microsoft.Provider/type`; a subnet has one.', [`${LEARN}/virtual-network/subnet-delegation-overview`, 'InvalidRequestFormat'],
    ({ spec }) => valuesAt(spec, 'delegations[].serviceName').flatMap(({ field, value }) =>
      (typeof value === 'string' && !/^[\w-]+(\.[\w-]+)+\/[\w/-]+$/.test(value) ? violation(field, `'${value}' is no service`, 'write it like Microsoft.DBforPostgreSQL/flexibleServers') : [])),
    ({ spec }) => {
      const count = valuesAt(spec, 'delegations[]').length;
      return count > 1 ? violation('delegations', `has ${count} delegations`, 'give one') : [];
    }),
  rule('subnet-named-delegation', SUBNET, 'The subnets of gateways, firewalls and Bastion have no delegation.', [FIREWALL, 'InvalidRequestFormat'], ({ name, spec }) =>
    (NAMED_SUBNETS[name.toLowerCase()] !== undefined && valuesAt(spec, 'delegations[]').length > 0
      ? violation('delegations', `is not for ${name}`, 'remove it') : [])),
  rule('subnet-named-group', SUBNET, 'The subnets of firewalls have no network security group.', [FIREWALL, 'InvalidRequestFormat'], ({ name, spec }) =>
    (['azurefirewallsubnet', 'azurefirewallmanagementsubnet'].includes(name.toLowerCase()) && valuesAt(spec, 'networkSecurityGroup').length > 0
      ? violation('networkSecurityGroup', `is not for ${name}`, 'remove it') : [])),
  rule('network-space-overlap', NETWORK, 'Address prefixes of a network do not overlap.', [FAQ, 'NetcfgInvalidVirtualNetworkSite'], (subject) =>
    overlapsIn(prefixesOf(subject)).map(({ at, other }) =>
      ({ field: at.field, message: `'${at.value}' overlaps '${other.value}'`, fix: 'take ranges apart from each other' }))),
  rule('subnet-outside', SUBNET, 'A subnet lies in the address space of its network.', [SUBNETS, 'NetcfgInvalidSubnet'], (subject) => {
    const { owner } = subject;
    const spaces = owner?.kind === NETWORK ? prefixesOf(owner) : [];
    // Space that comes from an IPAM pool is in no prefix.
    if (spaces.length === 0 || spaces.some(({ cidr }) => !cidr) || valuesAt(owner!.spec, 'addressSpace.ipamPoolPrefixAllocations[]').length > 0) return [];
    return eachPrefix(({ value, cidr }) => (cidr && !spaces.some((space) => contains(space.cidr!, cidr))
      ? [`'${value}' is outside of the network's address space ${spaces.map((space) => space.value).join(', ')}`, 'take a part of it, or extend it'] : undefined))(subject);
  }),
  rule('subnet-overlap', SUBNET, 'Subnets of a network do not overlap.', [SUBNETS, 'NetcfgSubnetRangesOverlap'], (subject) => {
    const others = subject.siblings.flatMap((sibling) => prefixesOf(sibling).map((at) => ({ ...at, name: sibling.name })));
    return eachPrefix(({ value, cidr }) => {
      const other = cidr && others.find((one) => one.cidr && overlap(one.cidr, cidr));
      return other ? [`'${value}' overlaps subnet '${other.name}' (${other.value})`, 'take a free range of the network'] : undefined;
    })(subject);
  }),
  advice('subnet-named-size', SUBNET, 'Subnets of gateways, firewalls and Bastion have a smallest size: Azure takes the subnet, not what is in it.', FIREWALL, (subject) => {
    const least = NAMED_SUBNETS[subject.name.toLowerCase()];
    if (least === undefined) return [];
    return eachPrefix(({ value, cidr }) => (cidr?.version === 4 && cidr.prefix > least
      ? [`'${value}' is too small for ${subject.name}`, `write /${least} or larger`] : undefined))(subject);
  }),
];
