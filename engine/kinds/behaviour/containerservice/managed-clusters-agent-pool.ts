import { OPERATION_ENDED, SLOW } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

/** Writes are serialized by the cluster: `managed-cluster.ts`. */
export const managedClustersAgentPool: KindBehaviour = {
  evidence: [
    'v2/api/containerservice/customizations/managed_clusters_agent_pool_extensions.go',
  ],
  stateGates: [{ of: 'owner', ...OPERATION_ENDED }, { of: 'own', ...OPERATION_ENDED }],
  errors: [{ codes: ['NodePoolMcVersionIncompatible'], become: SLOW }],
};
