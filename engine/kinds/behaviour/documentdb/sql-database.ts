import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const sqlDatabase: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/sql_database_extension_types.go',
  ],
  errors: [{ codes: ['BadRequest'], become: RETRYABLE }],
};
