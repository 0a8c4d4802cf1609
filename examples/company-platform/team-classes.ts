import { apps, data, domain, subnet } from './network-plan';
import { StorageSubResource, type TeamOverrides } from 'cdk8s-aso/platform';

/** The part of a claim that decides the settings of its team. */
interface TeamOfClass {
  readonly class: 'product' | 'data' | 'partner';
  readonly subscription?: string | undefined;
}

/** The settings of a team of each class. The classes are the platform's decision; a claim says only which one it is of. */
const CLASSES: Readonly<Record<TeamOfClass['class'], (name: string, spec: TeamOfClass) => TeamOverrides>> = {
  /** Workloads in the cluster, databases, queues, and host names below the team's own. */
  product: (name) => ({
    uses: ['service-bus', 'postgres', 'key-vault', 'front-door', 'dns-zone'],
    hostNames: [`${name}.${domain}`, `*.${name}.${domain}`],
    quotas: { cpu: '16', memory: '32Gi', memoryLimit: '48Gi', pods: 80 },
    privateAccess: { subnet: subnet(apps, 'endpoints'), storage: [StorageSubResource.BLOB] },
  }),
  /** Event hubs and data lakes: larger pods with disks, endpoints in the spoke for data. */
  data: () => ({
    uses: ['event-hubs', 'postgres', 'key-vault'],
    quotas: { cpu: '64', memory: '256Gi', memoryLimit: '320Gi', pods: 120, storage: '2Ti', containerMaxCpu: '16', containerMaxMemory: '64Gi' },
    privateAccess: { subnet: subnet(data, 'endpoints'), storage: [StorageSubResource.BLOB, StorageSubResource.DFS] },
  }),
  /** Others' people: a subscription of their own, secrets, storage, and few pods. */
  partner: (_, { subscription }) => ({
    subscriptionId: subscription!,
    uses: ['key-vault'],
    quotas: { cpu: '2', memory: '4Gi', memoryLimit: '6Gi', pods: 10, storage: '0', containerMaxCpu: '1', containerMaxMemory: '2Gi' },
    privateAccess: { subnet: subnet(apps, 'partner-endpoints'), storage: [StorageSubResource.BLOB] },
  }),
};

export function settingsOfClass(name: string, spec: TeamOfClass): TeamOverrides {
  return CLASSES[spec.class](name, spec);
}
