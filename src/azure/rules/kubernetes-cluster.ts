import { between, betweenOr, eachText, fits, multipleOf } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { overlap, parseAddress, parseCidr } from '../../util/cidr';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const POOL = 'containerservice.azure.com/ManagedClustersAgentPool';
const NETWORK = [`${LEARN}/aks/concepts-network-cni-overview`, 'InvalidParameter'] as const;
const CILIUM = [`${LEARN}/aks/azure-cni-powered-by-cilium`, 'InvalidParameter'] as const;
const POLICIES = [`${LEARN}/aks/use-network-policies`, 'InvalidParameter'] as const;
const RESERVED_RANGES = [`${LEARN}/aks/configure-azure-cni`, 'InvalidParameter'] as const;
const VERSIONS = [`${LEARN}/aks/supported-kubernetes-versions`, 'K8sVersionNotSupported'] as const;
const UPGRADE = [`${LEARN}/aks/upgrade-aks-node-pools-rolling`, 'InvalidParameter'] as const;
const SIZES = [`${LEARN}/aks/quotas-skus-regions`, 'VMSizeNotSupported'] as const;
const SYSTEM = [`${LEARN}/aks/use-system-pools`, 'InvalidParameter'] as const;
const LABELS = [`${LEARN}/aks/use-labels`, 'InvalidParameter'] as const;
const OUTBOUND = [`${LEARN}/aks/egress-outboundtype`, 'InvalidParameter'] as const;
const BALANCER = [`${LEARN}/aks/load-balancer-standard`, 'InvalidParameter'] as const;
const ACCESS = [`${LEARN}/aks/api-server-authorized-ip-ranges`, 'InvalidParameter'] as const;
const ACCOUNTS = [`${LEARN}/aks/manage-local-accounts-managed-azure-ad`, 'InvalidParameter'] as const;
const SUPPORT = [`${LEARN}/aks/long-term-support`, 'InvalidParameter'] as const;

/** Members of the pools of a cluster, and of the one pool that is an object of its own. */
const inPools = (path: string) => [`agentPoolProfiles[].${path}`, path];
/** Ranges that AKS keeps for itself. */
const AKS_RANGES = ['169.254.0.0/16', '172.30.0.0/16', '172.31.0.0/16', '192.0.2.0/24'];
const RANGES = ['networkProfile.serviceCidr', 'networkProfile.podCidr', 'networkProfile.serviceCidrs[]', 'networkProfile.podCidrs[]'];
/** Sizes with less than two processors. */
const TOO_SMALL = new Set(['a0', 'a1', 'a1_v2', 'b1ls', 'b1s', 'b1ms', 'd1', 'd1_v2', 'ds1', 'ds1_v2', 'f1', 'f1s'].map((size) => `standard_${size}`));

const network = ({ spec }: AzureSubject, member: string) => wordAt(spec, `networkProfile.${member}`);
const cidrAt = (value: unknown) => (typeof value === 'string' ? parseCidr(value) : undefined);
const minorOf = (version: unknown) => (typeof version === 'string' && /^\d+\.\d+(\.\d+)?$/.test(version) ? version.split('.').slice(0, 2).map(Number) : undefined);

export const KUBERNETES_CLUSTER_RULES: readonly AzureRule[] = [
  rule('aks-version', [CLUSTER, POOL], 'A version of Kubernetes is `1.31` or `1.31.2`.', VERSIONS,
    ...['kubernetesVersion', ...inPools('orchestratorVersion')].map((path) => fits(path, /^\d+\.\d+(\.\d+)?$/, 'no version of Kubernetes', 'write it like 1.31 or 1.31.2'))),
  rule('aks-pool-version', POOL, 'The nodes of a pool are not newer than the control plane.', [VERSIONS[0], 'NodePoolMcVersionIncompatible'], ({ spec, owner }) => {
    const [pool, cluster] = [minorOf(valueAtPath(spec, 'orchestratorVersion')), owner && minorOf(valueAtPath(owner.spec, 'kubernetesVersion'))];
    return pool && cluster && (pool[0]! > cluster[0]! || (pool[0] === cluster[0] && pool[1]! > cluster[1]!))
      ? violation('orchestratorVersion', `is ${pool.join('.')}, the cluster's kubernetesVersion ${cluster.join('.')}`, 'upgrade the cluster first') : [];
  }),
  rule('aks-vm-size', [CLUSTER, POOL], 'The size of a node is the name of a machine size, with two processors at least.', SIZES,
    ...inPools('vmSize').map((path) => eachText(path, (value) => {
      if (!/^Standard_[A-Z]+\d[A-Za-z\d_-]*$/i.test(value)) return [`'${value}' is no size of a machine`, 'write it like Standard_D4s_v5'];
      return TOO_SMALL.has(value.toLowerCase()) ? [`'${value}' has less than two processors`, 'take a larger size'] : undefined;
    }))),
  rule('aks-surge', [CLUSTER, POOL], 'maxSurge is a number of nodes, or a percentage of 1% to 100%.', UPGRADE,
    ...inPools('upgradeSettings.maxSurge').map((path) => eachText(path, (value) => {
      const percent = /^(\d+)%$/.exec(value);
      return /^\d+$/.test(value) || (percent && Number(percent[1]) >= 1 && Number(percent[1]) <= 100) ? undefined : [`is '${value}'`, 'write a number, or a percentage such as 33%'];
    }))),
  rule('aks-system-linux', [CLUSTER, POOL], 'A system pool runs Linux.', SYSTEM, ({ spec }) =>
    [spec, ...valuesAt(spec, 'agentPoolProfiles[]').map(({ value }) => value)].flatMap((pool, index) => {
      const at = index === 0 ? '' : `agentPoolProfiles[${index - 1}].`;
      const of = pool as typeof spec;
      return wordAt(of, 'mode') === 'system' && wordAt(of, 'osType') === 'windows'
        ? violation(`${at}osType`, 'is Windows, but the pool is a system pool', 'write mode: User, or Linux') : [];
    })),
  rule('aks-node-labels', [CLUSTER, POOL], 'Labels with the prefix kubernetes.azure.com/ are those of AKS.', LABELS, ({ spec }) =>
    inPools('nodeLabels').flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }) => Object.entries(value ?? {}).flatMap(([key, label]) => {
      // That of spot pools is in what Azure answers.
      if (key.startsWith('kubernetes.azure.com/') && key !== 'kubernetes.azure.com/scalesetpriority') return violation(field, `'${key}' is a label that AKS sets itself`, 'take another prefix');
      return typeof label === 'string' && !/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/.test(label)
        ? violation(field, `'${label}' is no value of a label`, 'write 63 letters, digits, . _ and - at most, a letter or digit at each end') : [];
    }))),
  rule('aks-kubenet', CLUSTER, 'kubenet has neither the policies of Azure and Cilium, nor an overlay.', POLICIES, (subject) => {
    if (network(subject, 'networkPlugin') !== 'kubenet') return [];
    const policy = network(subject, 'networkPolicy');
    return [
      ...(policy === 'azure' || policy === 'cilium' ? violation('networkProfile.networkPolicy', `is ${policy}, but networkPlugin is kubenet`, 'write calico, or networkPlugin: azure') : []),
      ...(network(subject, 'networkPluginMode') === 'overlay' ? violation('networkProfile.networkPluginMode', 'is overlay, but networkPlugin is kubenet', 'write networkPlugin: azure') : []),
    ];
  }),
  rule('aks-cilium', CLUSTER, 'Cilium is data plane and network policy together, with the plugin azure.', CILIUM, (subject) => {
    const [dataplane, policy, plugin] = ['networkDataplane', 'networkPolicy', 'networkPlugin'].map((member) => network(subject, member));
    if (policy === 'cilium' && dataplane !== 'cilium') return violation('networkProfile.networkPolicy', 'is cilium, but networkDataplane is not', 'write networkDataplane: cilium');
    if (dataplane !== 'cilium') return [];
    if (policy === 'azure' || policy === 'calico') return violation('networkProfile.networkPolicy', `is ${policy}, but networkDataplane is cilium`, 'write cilium');
    return plugin === 'kubenet' ? violation('networkProfile.networkPlugin', 'is kubenet, but networkDataplane is cilium', 'write azure') : [];
  }),
  advice('aks-pod-cidr', CLUSTER, 'A network of pods is for kubenet and for the overlay; Azure writes another one.', `${LEARN}/aks/azure-cni-overlay`, (subject) =>
    (valueAtPath(subject.spec, 'networkProfile.podCidr') !== undefined && network(subject, 'networkPlugin') === 'azure' && network(subject, 'networkPluginMode') === undefined
      ? violation('networkProfile.podCidr', 'is given, but pods get addresses of the subnet with networkPlugin azure', 'write networkPluginMode: overlay, or remove it') : [])),
  rule('aks-reserved-range', CLUSTER, 'Pods and services have no addresses that AKS keeps for itself.', RESERVED_RANGES, ({ spec }) =>
    RANGES.flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }) => {
      const cidr = cidrAt(value);
      const taken = cidr && AKS_RANGES.find((range) => overlap(cidr, parseCidr(range)!));
      return taken === undefined ? [] : violation(field, `'${String(value)}' has addresses of ${taken}`, 'take another private range');
    })),
  rule('aks-service-cidr-subnet', CLUSTER, 'The network of services has no addresses of the subnet of the nodes or its network.', [NETWORK[0], 'ServiceCidrOverlapExistingSubnetsCidr'], (subject) =>
    RANGES.flatMap((path) => valuesAt(subject.spec, path)).flatMap(({ field, value }) => {
      const cidr = cidrAt(value);
      const subnets = valuesAt(subject.spec, 'agentPoolProfiles[].vnetSubnetReference').flatMap((at) => subject.referenced(at.value) ?? []);
      const other = cidr && subnets.find(({ spec }) => ['addressPrefix', 'addressPrefixes[]'].flatMap((path) => valuesAt(spec, path))
        .some((at) => { const prefix = cidrAt(at.value); return prefix && overlap(cidr, prefix); }));
      return other ? violation(field, `'${String(value)}' overlaps the subnet '${other.name}' of the nodes`, 'take a range that no network of yours has') : [];
    })),
  rule('aks-outbound-subnet', CLUSTER, 'Routes and NAT gateways of your own need a subnet of your own.', OUTBOUND, (subject) => {
    const type = network(subject, 'outboundType');
    if (type !== 'userdefinedrouting' && type !== 'userassignednatgateway') return [];
    const pools = valuesAt(subject.spec, 'agentPoolProfiles[]').length;
    return pools > 0 && valuesAt(subject.spec, 'agentPoolProfiles[].vnetSubnetReference').length === 0
      ? violation('networkProfile.outboundType', `is ${String(valueAtPath(subject.spec, 'networkProfile.outboundType'))}, but no pool has vnetSubnetReference`, 'give the subnet of the nodes') : [];
  }),
  rule('aks-outbound', CLUSTER, 'A connection ends after 4 to 120 idle minutes; ports of a node are multiples of 8 up to 64000; there are 1 to 100 addresses.', BALANCER,
    between('networkProfile.loadBalancerProfile.idleTimeoutInMinutes', 4, 120, 'minutes'), between('networkProfile.natGatewayProfile.idleTimeoutInMinutes', 4, 120, 'minutes'),
    between('networkProfile.loadBalancerProfile.allocatedOutboundPorts', 0, 64_000, 'ports'), multipleOf('networkProfile.loadBalancerProfile.allocatedOutboundPorts', 8),
    betweenOr([0], 'networkProfile.loadBalancerProfile.managedOutboundIPs.count', 1, 100, 'addresses'), between('networkProfile.natGatewayProfile.managedOutboundIPProfile.count', 1, 16, 'addresses')),
  rule('aks-authorized-ranges', CLUSTER, 'Up to 200 public IPv4 ranges may reach the API server of a cluster that is not private.', ACCESS,
    eachText('apiServerAccessProfile.authorizedIPRanges[]', (value) => (parseCidr(value) || parseAddress(value) ? undefined : [`'${value}' is no address or range`, 'write it like 20.50.0.0/16'])),
    ({ spec }) => {
      const count = valuesAt(spec, 'apiServerAccessProfile.authorizedIPRanges[]').length;
      if (count > 0 && valueAtPath(spec, 'apiServerAccessProfile.enablePrivateCluster') === true) {
        return violation('apiServerAccessProfile.authorizedIPRanges', 'is for clusters with a public API server, but enablePrivateCluster is true', 'remove one of them');
      }
      return count > 200 ? violation('apiServerAccessProfile.authorizedIPRanges', `has ${count} ranges`, 'give 200 at most') : [];
    }),
  rule('aks-local-accounts', CLUSTER, 'Local accounts can be off where Entra ID signs users in.', ACCOUNTS, ({ spec }) =>
    (valueAtPath(spec, 'disableLocalAccounts') === true && valueAtPath(spec, 'aadProfile') === undefined && wordAt(spec, 'sku.name') !== 'automatic'
      ? violation('disableLocalAccounts', 'is true, but aadProfile is missing', 'give aadProfile: { managed: true }') : [])),
  rule('aks-azure-rbac', CLUSTER, 'Azure RBAC for Kubernetes needs the managed Entra integration.', [`${LEARN}/aks/manage-azure-rbac`, 'InvalidParameter'], ({ spec }) =>
    (valueAtPath(spec, 'aadProfile.enableAzureRBAC') === true && valueAtPath(spec, 'aadProfile.managed') === false
      ? violation('aadProfile.enableAzureRBAC', 'is true, but aadProfile.managed is false', 'write managed: true') : [])),
  rule('aks-long-term-support', CLUSTER, 'Long-term support needs tier Premium.', SUPPORT, ({ spec }) => {
    const tier = wordAt(spec, 'sku.tier');
    return wordAt(spec, 'supportPlan') === 'akslongtermsupport' && tier !== 'premium'
      ? violation('supportPlan', `is AKSLongTermSupport, but sku.tier is ${tier === undefined ? 'missing' : String(valueAtPath(spec, 'sku.tier'))}`, 'write sku.tier: Premium') : [];
  }),
  rule('aks-image-cleaner', CLUSTER, 'Images are cleaned up every 24 hours to 90 days.', [`${LEARN}/aks/image-cleaner`, 'InvalidParameter'],
    (subject) => (valueAtPath(subject.spec, 'securityProfile.imageCleaner.enabled') === false
      ? [] : between('securityProfile.imageCleaner.intervalHours', 24, 2160, 'hours')(subject))),
];
