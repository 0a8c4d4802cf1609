import { between, eachText, fits, unique } from './finders';
import { LEARN, rule, subjectAlone, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { contains, hasHostBits, overlap, parseAddress, parseCidr } from '../../util/cidr';
import { isRecord, type Struct } from '../../util/records';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const POOL = 'containerservice.azure.com/ManagedClustersAgentPool';
const POOLS = [`${LEARN}/aks/create-node-pools`, 'InvalidParameter'] as const;
const SYSTEM = [`${LEARN}/aks/use-system-pools`, 'InvalidParameter'] as const;
const AUTOSCALER = [`${LEARN}/aks/cluster-autoscaler`, 'InvalidParameter'] as const;
const SPOT = [`${LEARN}/aks/spot-node-pool`, 'InvalidParameter'] as const;
const NETWORK = [`${LEARN}/aks/configure-azure-cni`, 'InvalidParameter'] as const;
const IDENTITY = [`${LEARN}/aks/workload-identity-deploy-cluster`, 'InvalidParameter'] as const;
const DNS = [`${LEARN}/aks/learn/quick-kubernetes-deploy-cli`, 'InvalidParameter'] as const;
const DISKS = [`${LEARN}/aks/concepts-storage`, 'InvalidParameter'] as const;

interface Pool {
  readonly at: string;
  readonly name: string | undefined;
  readonly spec: Struct;
}

/** The pools of a cluster, or the one pool that is an object of its own. */
function poolsOf({ kind, name, spec }: AzureSubject): Pool[] {
  if (kind === POOL) return [{ at: '', name, spec }];
  return valuesAt(spec, 'agentPoolProfiles[]').flatMap(({ field, value }) => {
    if (!isRecord(value)) return [];
    return [{ at: `${field}.`, name: typeof value.name === 'string' ? value.name : undefined, spec: value }];
  });
}

const eachPool = (find: (pool: Pool) => readonly Violation[]): AzureRule['find'] => (subject) =>
  poolsOf(subject).flatMap((pool) => find(pool).map((violation) => ({ ...violation, field: `${pool.at}${violation.field}` })));

const within = (pool: Pool, find: AzureRule['find']) => find(subjectAlone(POOL, pool.name ?? '', pool.spec));

export const KUBERNETES_SERVICE_RULES: readonly AzureRule[] = [
  rule('aks-pool-name', [CLUSTER, POOL], 'A pool has a name of 12 lower-case letters and digits at most (Windows: 6).', POOLS, eachPool(({ at, name, spec }) => {
    if (name === undefined) return [];
    const most = wordAt(spec, 'osType') === 'windows' ? 6 : 12;
    return /^[a-z][a-z0-9]*$/.test(name) && name.length <= most
      ? [] : [{ field: at === '' ? 'azureName' : 'name', message: `'${name}' is no name of a pool`, fix: `write ${most} lower-case letters and digits at most, a letter first` }];
  })),
  rule('aks-autoscaling', [CLUSTER, POOL], 'With autoscaling a pool has minCount and maxCount, and count between them.', AUTOSCALER, eachPool(({ spec }) => {
    const [on, least, most, count, mode] = ['enableAutoScaling', 'minCount', 'maxCount', 'count', 'mode'].map((path) => valueAtPath(spec, path));
    if (on !== true) {
      return [['minCount', least] as const, ['maxCount', most] as const].filter(([, value]) => value !== undefined)
        .map(([field]) => ({ field, message: 'is for enableAutoScaling: true', fix: 'set enableAutoScaling, or remove it' }));
    }
    if (typeof least !== 'number' || typeof most !== 'number') {
      return [{ field: typeof least === 'number' ? 'maxCount' : 'minCount', message: 'is missing, but enableAutoScaling is true', fix: 'give minCount and maxCount' }];
    }
    if (least === 0 && mode === 'System') return [{ field: 'minCount', message: 'is 0, but a system pool has a node at least', fix: 'write 1 or more' }];
    if (least > most) return [{ field: 'minCount', message: `is ${least}, maxCount is ${most}`, fix: 'give a minimum that is not above the maximum' }];
    return typeof count === 'number' && (count < least || count > most)
      ? [{ field: 'count', message: `is ${count}, outside of ${least} to ${most}`, fix: 'write a count between minCount and maxCount', severity: 'warning' }] : [];
  })),
  rule('aks-pool-count', [CLUSTER, POOL], 'A pool has up to 1000 nodes; a system pool one at least.', SYSTEM, eachPool((pool) =>
    within(pool, between('count', wordAt(pool.spec, 'mode') === 'system' ? 1 : 0, 1000, 'nodes')))),
  rule('aks-max-pods', [CLUSTER, POOL], 'A node has 10 to 250 pods.', NETWORK, eachPool((pool) => within(pool, between('maxPods', 10, 250, 'pods')))),
  rule('aks-os-disk', [CLUSTER, POOL], 'The disk of a node has 30 to 2048 GiB, or 0 for the default.', DISKS, eachPool((pool) =>
    within(pool, between('osDiskSizeGB', 30, 2048, 'GiB, or 0')).filter(({ message }) => message !== 'is 0'))),
  rule('aks-spot', [CLUSTER, POOL], 'Eviction policy and maximum price are for Spot pools, which are user pools.', SPOT, eachPool(({ spec }) => {
    const isSpot = wordAt(spec, 'scaleSetPriority') === 'spot';
    if (isSpot && wordAt(spec, 'mode') === 'system') return [{ field: 'mode', message: 'is System, but the pool is Spot', fix: 'write mode: User' }];
    if (isSpot) return [];
    return valueAtPath(spec, 'scaleSetEvictionPolicy') === undefined
      ? [] : [{ field: 'scaleSetEvictionPolicy', message: 'needs scaleSetPriority: Spot', fix: 'remove it' }];
  })),
  rule('aks-taints', [CLUSTER, POOL], 'A taint is `key=value:effect`.', POOLS, eachPool((pool) => within(pool, eachText('nodeTaints[]', (value) =>
    (/^[A-Za-z0-9._/-]+(=[A-Za-z0-9._-]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$/.test(value)
      ? undefined : [`'${value}' is no taint`, 'write key=value:NoSchedule, PreferNoSchedule or NoExecute']))))),
  rule('aks-system-pool', CLUSTER, 'A cluster has a system pool.', SYSTEM, (subject) => {
    const pools = poolsOf(subject);
    const modes = pools.map(({ spec }) => wordAt(spec, 'mode'));
    return pools.length > 0 && modes.every((mode) => mode === 'user')
      ? [{ field: 'agentPoolProfiles[0].mode', message: 'is User, and no other pool is a system pool', fix: 'write mode: System for one pool' }] : [];
  }),
  rule('aks-pool-unique', CLUSTER, 'Each pool of a cluster has its own name.', POOLS, unique('agentPoolProfiles[].name', 'name')),
  rule('aks-dns-prefix', CLUSTER, 'A DNS prefix has 1 to 54 letters, digits and hyphens.', DNS,
    fits('dnsPrefix', /^[A-Za-z0-9]([A-Za-z0-9-]{0,52}[A-Za-z0-9])?$/, 'no DNS prefix', 'write 54 letters, digits and hyphens at most, none at the ends')),
  rule('aks-service-cidr', CLUSTER, 'The networks of pods and services are ranges of addresses, and apart from each other.', NETWORK, ({ spec }) => {
    const [pods, services] = ['networkProfile.podCidr', 'networkProfile.serviceCidr'].map((path) => valuesAt(spec, path)[0]);
    const found = [pods, services].flatMap((at): Violation[] => {
      if (typeof at?.value !== 'string') return [];
      if (!parseCidr(at.value)) return [{ field: at.field, message: `'${at.value}' is no range of addresses`, fix: 'write it like 10.0.0.0/16' }];
      return hasHostBits(at.value) ? [{ field: at.field, message: `'${at.value}' has host bits`, fix: 'write the first address of the range', severity: 'warning' }] : [];
    });
    const [pod, service] = [pods, services].map((at) => (typeof at?.value === 'string' ? parseCidr(at.value) : undefined));
    return pod && service && overlap(pod, service)
      ? [...found, { field: services!.field, message: `overlaps podCidr ${String(pods!.value)}`, fix: 'take another range' }] : found;
  }),
  rule('aks-service-cidr-size', CLUSTER, 'The network of services is smaller than /12.', NETWORK, ({ spec }) => {
    const value = valueAtPath(spec, 'networkProfile.serviceCidr');
    const cidr = typeof value === 'string' ? parseCidr(value) : undefined;
    return cidr?.version === 4 && cidr.prefix < 12
      ? [{ field: 'networkProfile.serviceCidr', message: `'${String(value)}' is larger than /12`, fix: 'write /12 or smaller' }] : [];
  }),
  rule('aks-dns-service-ip', CLUSTER, 'The address of the DNS service is in the network of services, and not its first address.', NETWORK, ({ spec }) => {
    const [address, services] = ['networkProfile.dnsServiceIP', 'networkProfile.serviceCidr'].map((path) => valueAtPath(spec, path));
    const cidr = typeof services === 'string' ? parseCidr(services) : undefined;
    const at = typeof address === 'string' ? parseCidr(`${address}/${address.includes(':') ? 128 : 32}`) : undefined;
    const violation = (message: string) => [{ field: 'networkProfile.dnsServiceIP', message, fix: 'write an address of serviceCidr, e.g. its tenth' }];
    if (typeof address === 'string' && !parseAddress(address)) return violation(`'${address}' is no address`);
    if (!cidr || !at) return [];
    if (!contains(cidr, at)) return violation(`'${String(address)}' is outside of serviceCidr ${String(services)}`);
    return at.first === cidr.first || at.first === cidr.first + 1n ? violation(`'${String(address)}' is one of the first two addresses of serviceCidr, which Azure uses`) : [];
  }),
  rule('aks-workload-identity', CLUSTER, 'Workload identity needs the OpenID Connect issuer.', IDENTITY, ({ spec }) =>
    (valueAtPath(spec, 'securityProfile.workloadIdentity.enabled') === true && valueAtPath(spec, 'oidcIssuerProfile.enabled') !== true && wordAt(spec, 'sku.name') !== 'automatic'
      ? [{
        field: 'oidcIssuerProfile.enabled',
        message: 'is not true, but securityProfile.workloadIdentity is enabled',
        fix: 'write true',
        // Newer clusters have the issuer unless they refuse it.
        severity: valueAtPath(spec, 'oidcIssuerProfile.enabled') === undefined ? 'warning' : undefined,
      }] : [])),
];
