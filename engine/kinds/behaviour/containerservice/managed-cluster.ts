import { OPERATION_ENDED, RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const managedCluster: KindBehaviour = {
  evidence: [
    'v2/api/containerservice/customizations/managed_cluster_extensions.go',
    'https://github.com/Azure/azure-workload-identity/issues/417',
    'https://github.com/cilium/cilium/issues/25944',
    'https://github.com/Azure/AKS/issues/1913',
  ],
  stateGates: [{ of: 'own', ...OPERATION_ENDED }],
  errors: [{ codes: ['CustomKubeletIdentityMissingPermissionError'], become: RETRYABLE }],
  serialWrites: {
    // 409 OperationNotAllowed ("Another operation is in progress", "Another agentpool operation (… - Creating) is in progress") between the
    // cluster and its pools. Azure accepts several pools at a time since Azure/AKS#1913 was resolved.
    parent: 'Microsoft.ContainerService/managedClusters',
    alone: [],
    together: ['agentPools'],
    itself: true,
  },
};
