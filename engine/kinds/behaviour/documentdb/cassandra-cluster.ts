import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const cassandraCluster: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/cassandra_cluster_extensions.go',
  ],
  errors: [{ codes: ['BadRequest'], message: ['service principal'], become: RETRYABLE }],
};
