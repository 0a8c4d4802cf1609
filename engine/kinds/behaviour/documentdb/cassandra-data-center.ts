import { PROVISIONING_STATE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const cassandraDataCenter: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/cassandra_data_center_extensions.go',
  ],
  stateGates: [{ of: 'owner', path: PROVISIONING_STATE, passExactly: ['Succeeded'] }],
};
