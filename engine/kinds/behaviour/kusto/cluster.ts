import { OPERATION_ENDED } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const cluster: KindBehaviour = {
  evidence: [
    'v2/api/kusto/customizations/cluster_extensions.go',
  ],
  stateGates: [{ of: 'own', ...OPERATION_ENDED }],
};
