import { OPERATION_ENDED } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const database: KindBehaviour = {
  evidence: [
    'v2/api/kusto/customizations/database_extensions.go',
  ],
  stateGates: [{ of: 'owner', ...OPERATION_ENDED }],
};
