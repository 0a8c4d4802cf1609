import { PROVISIONING_STATE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

/** The catalog leaves this kind out (`catalog/overlays/left-out.yaml`); the gate is for clusters that import its CRD. */
export const hcpOpenShiftCluster: KindBehaviour = {
  evidence: [
    'v2/api/redhatopenshift/customizations/hcp_open_shift_cluster_extension.go',
  ],
  stateGates: [{ of: 'own', path: PROVISIONING_STATE, block: ['deleting'] }],
};
