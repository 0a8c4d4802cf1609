import type { NetworkAccess } from './network-access';
import { DNS_LABEL } from '../../azure/dns-name';
import { NetworkPolicyFlavour } from '../model/conventions';
import type { PlatformProblems } from '../model/problems';

const CIDR = /^[0-9a-f.:]+\/\d{1,3}$/i;
const NAME_LABEL = 'kubernetes.io/metadata.name';
const DNS_PORTS = [{ protocol: 'UDP', port: 53 }, { protocol: 'TCP', port: 53 }];

/** The spec of a policy that allows connections between the pods of a namespace, and those of the access settings. */
export function networkPolicySpec(flavour: NetworkPolicyFlavour, namespace: string, access: NetworkAccess): Record<string, unknown> {
  return flavour === NetworkPolicyFlavour.CALICO ? calico(namespace, access) : kubernetes(access);
}

/** Adds problems for settings that Kubernetes rejects. */
export function checkNetworkAccess({ fromNamespaces = [], to = [] }: NetworkAccess, problems: PlatformProblems): void {
  fromNamespaces.forEach((name, i) => {
    if (!DNS_LABEL.test(name)) problems.add(`network.fromNamespaces[${i}]`, `'${name}' is no namespace. Write the name of one.`);
  });
  to.forEach(({ cidr, ports = [] }, i) => {
    if (!CIDR.test(cidr ?? '')) {
      problems.add(`network.to[${i}].cidr`, `'${cidr ?? ''}' is no range of addresses. Write it like 10.20.0.0/16.`);
    }
    ports.forEach((port, j) => {
      if (!Number.isInteger(port) || port < 1 || port > 65535) {
        problems.add(`network.to[${i}].ports[${j}]`, `'${port}' is no port. Give 1 to 65535.`);
      }
    });
  });
}

function kubernetes({ fromNamespaces = [], to }: NetworkAccess): Record<string, unknown> {
  const own = { podSelector: {} };
  const others = fromNamespaces.map((name) => ({ namespaceSelector: { matchLabels: { [NAME_LABEL]: name } } }));
  const spec = { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [own, ...others] }] };
  if (to === undefined) return spec;
  const dns = { to: [{ namespaceSelector: { matchLabels: { [NAME_LABEL]: 'kube-system' } } }], ports: DNS_PORTS };
  const destinations = to.map(({ cidr, ports }) => ({
    to: [{ ipBlock: { cidr } }],
    ...(ports?.length ? { ports: ports.map((port) => ({ protocol: 'TCP', port })) } : {}),
  }));
  return { ...spec, policyTypes: ['Ingress', 'Egress'], egress: [{ to: [own] }, dns, ...destinations] };
}

/** Egress from the namespace is left to the platform's GlobalNetworkPolicies, unless destinations are set. */
function calico(namespace: string, { fromNamespaces = [], to }: NetworkAccess): Record<string, unknown> {
  const within = { namespaceSelector: selector(namespace) };
  const allow = (rule: Record<string, unknown>) => ({ action: 'Allow', protocol: 'TCP', ...rule });
  const destinations = (to ?? []).map(({ cidr, ports }) => allow({ destination: { nets: [cidr], ...(ports?.length ? { ports } : {}) } }));
  const dns =
    to !== undefined
      ? DNS_PORTS.map(({ protocol, port }) => ({
        action: 'Allow',
        protocol,
        destination: { namespaceSelector: selector('kube-system'), ports: [port] },
      }))
      : [];
  return {
    ingress: [allow({ source: within }), ...fromNamespaces.map((name) => allow({ source: { namespaceSelector: selector(name) } }))],
    egress: [allow({ destination: within }), ...dns, ...destinations],
  };
}

function selector(namespace: string): string {
  return `${NAME_LABEL} == '${namespace}'`;
}
