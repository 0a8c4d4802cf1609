import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const sqlRoleAssignment: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/sql_role_assignment_extension_types.go',
  ],
  errors: [{ codes: ['BadRequest'], message: ['was not found in the AAD tenant'], become: RETRYABLE }],
};
