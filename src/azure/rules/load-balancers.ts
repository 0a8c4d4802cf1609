import { between, multipleOf, unique } from './finders';
import { keyAt, missingParts } from './own-parts';
import { LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valuesAt, wordAt, type ValueAt } from './values';
import { isRecord, type Struct } from '../../util/records';

const BALANCER = 'network.azure.com/LoadBalancer';
const PROBES = [`${LEARN}/load-balancer/load-balancer-custom-probe-overview`, 'InvalidRequestFormat'] as const;
const PARTS = [`${LEARN}/load-balancer/components`, 'InvalidResourceReference'] as const;
const PORTS = [`${LEARN}/load-balancer/components`, 'InvalidRequestFormat'] as const;
const ALL_PORTS = [`${LEARN}/load-balancer/load-balancer-ha-ports-overview`, 'InvalidRequestFormat'] as const;
const FRONTENDS = [`${LEARN}/load-balancer/components`, 'InvalidRequestFormat'] as const;
const OUTBOUND = [`${LEARN}/load-balancer/outbound-rules`, 'InvalidRequestFormat'] as const;
const SKUS = [`${LEARN}/load-balancer/skus`, 'PublicIPAndLBSkuDoNotMatch'] as const;

const LISTS = [
  'frontendIPConfigurations', 'backendAddressPools', 'probes', 'loadBalancingRules', 'inboundNatRules', 'inboundNatPools', 'outboundRules',
];
const REFERENCES = [
  ...['loadBalancingRules', 'inboundNatRules', 'inboundNatPools'].map((list) => `${list}[].frontendIPConfiguration.reference`),
  ...['loadBalancingRules', 'inboundNatRules', 'outboundRules'].map((list) => `${list}[].backendAddressPool.reference`),
  'loadBalancingRules[].backendAddressPools[].reference', 'loadBalancingRules[].probe.reference',
  'outboundRules[].frontendIPConfigurations[].reference',
];

const structs = (subject: AzureSubject, path: string) =>
  valuesAt(subject.spec, path).filter((at): at is ValueAt & { value: Struct } => isRecord(at.value));

/** Rules that take the same port of a frontend. */
function samePorts(subject: AzureSubject): Violation[] {
  const taken = new Map<string, string>();
  return [...structs(subject, 'loadBalancingRules[]'), ...structs(subject, 'inboundNatRules[]')].flatMap(({ field, value }) => {
    const [frontend, protocol, port] = [keyAt(value, 'frontendIPConfiguration.reference'), wordAt(value, 'protocol'), value.frontendPort];
    // A NAT rule of a range of ports has frontendPort 0.
    if (frontend === undefined || protocol === undefined || typeof port !== 'number' || port === 0) return [];
    const key = `${frontend} ${protocol} ${port}`;
    const other = taken.get(key);
    if (other === undefined) taken.set(key, field);
    return other === undefined ? [] : violation(`${field}.frontendPort`, `${port} is taken by ${other}, of the same frontend and protocol`, 'write another port');
  });
}

function probeProblems(subject: AzureSubject): Violation[] {
  return structs(subject, 'probes[]').flatMap(({ field, value }) => {
    const [protocol, path] = [wordAt(value, 'protocol'), value.requestPath ?? ''];
    if (protocol === 'tcp' && path !== '') return [...violation(`${field}.requestPath`, 'is given, but protocol is Tcp', 'remove it')];
    return (protocol === 'http' || protocol === 'https') && path === ''
      ? [...violation(`${field}.requestPath`, `is missing, but protocol is ${String(value.protocol)}`, 'give the path, e.g. /healthz')] : [];
  });
}

function frontendProblems(subject: AzureSubject): Violation[] {
  return structs(subject, 'frontendIPConfigurations[]').flatMap(({ field, value }) => {
    const ofPublic = ['publicIPAddress', 'publicIPPrefix'].find((key) => value[key] !== undefined);
    if (value.subnet === undefined && ofPublic === undefined) return [...violation(field, 'has no address: neither subnet nor publicIPAddress', 'give one of them')];
    if (value.subnet !== undefined && ofPublic !== undefined) return [...violation(`${field}.${ofPublic}`, 'is given beside subnet', 'give one of them')];
    return wordAt(value, 'privateIPAllocationMethod') === 'static' && (value.privateIPAddress ?? '') === ''
      ? [...violation(`${field}.privateIPAddress`, 'is missing, but privateIPAllocationMethod is Static', 'give it')] : [];
  });
}

/** Protocol All with port 0 is for all ports, and port 0 is for it only. */
function allPorts(subject: AzureSubject): Violation[] {
  return structs(subject, 'loadBalancingRules[]').flatMap(({ field, value }) => {
    const isAll = wordAt(value, 'protocol') === 'all';
    return ['frontendPort', 'backendPort'].flatMap((key) => {
      const port = value[key];
      if (typeof port !== 'number' || value.protocol === undefined || (port === 0) === isAll) return [];
      return [...violation(`${field}.${key}`, isAll ? `is ${port}, but protocol is All` : 'is 0, but protocol is another than All', isAll ? 'write 0' : 'write a port')];
    });
  });
}

function skuOfAddress(subject: AzureSubject): Violation[] {
  const sku = wordAt(subject.spec, 'sku.name');
  if (sku !== 'basic' && sku !== 'standard') return [];
  return valuesAt(subject.spec, 'frontendIPConfigurations[].publicIPAddress.reference').flatMap(({ field, value }) => {
    const address = subject.referenced(value);
    const own = address && wordAt(address.spec, 'sku.name');
    return (own === 'basic' || own === 'standard') && own !== sku
      ? [...violation(field, `'${address!.name}' is of SKU ${own === 'basic' ? 'Basic' : 'Standard'}`, 'use an address of the SKU of the load balancer')] : [];
  });
}

export const LOAD_BALANCER_RULES: readonly AzureRule[] = [
  rule('load-balancer-names', BALANCER, 'Frontends, pools, probes and rules have names of their own.', FRONTENDS, ...LISTS.map((list) => unique(`${list}[].name`, 'name'))),
  rule('load-balancer-part', BALANCER, 'A rule names a frontend, a pool and a probe that the load balancer has.', PARTS, (subject) =>
    missingParts(subject, 'loadBalancers', REFERENCES)),
  rule('load-balancer-port-taken', BALANCER, 'Rules of one frontend and protocol have different ports.', PORTS, samePorts),
  rule('load-balancer-all-ports', BALANCER, 'A rule of protocol All is for all ports: frontend and backend port are 0.', ALL_PORTS, allPorts),
  rule('load-balancer-frontend', BALANCER, 'A frontend has a subnet, a public address or a prefix; a static private address is given.', FRONTENDS, frontendProblems),
  rule('load-balancer-sku', BALANCER, 'A load balancer and its public addresses have the same SKU.', SKUS, skuOfAddress),
  rule('load-balancer-probe', BALANCER, 'A probe of HTTP or HTTPS has a path, one of TCP has none.', PROBES, probeProblems),
  rule('load-balancer-probe-interval', BALANCER, 'A probe waits for 5 seconds at least; 1 to 100 answers decide.', PROBES,
    between('probes[].intervalInSeconds', 5, 2_147_483_646, 'seconds'), between('probes[].numberOfProbes', 1, 2_147_483_646),
    between('probes[].probeThreshold', 1, 100)),
  rule('load-balancer-range', BALANCER, 'A range of ports begins with the lower one.', FRONTENDS, (subject) =>
    ['inboundNatPools[]', 'inboundNatRules[]'].flatMap((path) => structs(subject, path)).flatMap(({ field, value }) => {
      const { frontendPortRangeStart: first, frontendPortRangeEnd: last } = value;
      return typeof first === 'number' && typeof last === 'number' && first > last
        ? violation(`${field}.frontendPortRangeEnd`, `is ${last}, frontendPortRangeStart is ${first}`, 'write the lower port first') : [];
    })),
  rule('load-balancer-outbound', BALANCER, 'An outbound rule gives each machine 0 to 64000 ports, a multiple of 8.', OUTBOUND,
    between('outboundRules[].allocatedOutboundPorts', 0, 64_000, 'ports'), multipleOf('outboundRules[].allocatedOutboundPorts', 8)),
];
