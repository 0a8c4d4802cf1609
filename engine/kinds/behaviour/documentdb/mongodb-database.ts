import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const mongodbDatabase: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/mongodb_database_extension.go',
  ],
  errors: [{ codes: ['BadRequest'], become: RETRYABLE }],
};
