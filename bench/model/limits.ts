import type { Fleet } from './fleet';
import type { Prediction } from './predict';
import { ARM_REQUEST_LIMITS } from '../../src/azure/arm-request-limits';

/** A limit, and how far the fleet is from it. */
export interface Limit {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly source: string;
}

/** Resources of a namespace, as teams of the benches have them. */
export interface PerNamespace {
  readonly roleAssignments: number;
  readonly storageAccounts: number;
}

const AZURE = 'https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits';
const KUBERNETES = 'https://github.com/kubernetes/community/blob/master/sig-scalability/configs-and-limits/thresholds.md';
const RESOURCE_GRAPH = 'https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests';

/** The limits that the fleet comes closest to, the closest first. */
export function limitsOf(fleet: Fleet, prediction: Prediction, perNamespace: PerNamespace, replicaMemoryMiB: number): Limit[] {
  const groups = fleet.objects / fleet.objectsPerNamespace / fleet.subscriptions;
  const limits: Limit[] = [
    { what: 'resource groups of a subscription', value: groups, limit: 980, source: AZURE },
    { what: 'role assignments of a subscription', value: groups * perNamespace.roleAssignments, limit: 4_000, source: AZURE },
    { what: 'storage accounts of a subscription in a region', value: groups * perNamespace.storageAccounts, limit: 250, source: AZURE },
    {
      what: 'reads a second of a subscription at rest',
      value: prediction.restRequestsPerSecond,
      limit: ARM_REQUEST_LIMITS.reads.refillPerSecond,
      source: 'docs/capacity.md',
    },
    { what: 'queries a second of a principal to Resource Graph', value: prediction.queriesPerSecond, limit: 3, source: RESOURCE_GRAPH },
    { what: 'memory of a replica, MiB', value: prediction.replicaMiB, limit: replicaMemoryMiB, source: '--memory' },
    { what: 'replicas of a cluster', value: fleet.replicas, limit: 100, source: 'docs/sharding.md' },
    { what: 'namespaces of a cluster', value: prediction.namespaces, limit: 10_000, source: KUBERNETES },
    { what: "etcd's database, MiB", value: prediction.storageMiB, limit: 8_192, source: 'https://etcd.io/docs/v3.5/dev-guide/limit/' },
  ];
  return limits.sort((a, b) => b.value / b.limit - a.value / a.limit);
}
