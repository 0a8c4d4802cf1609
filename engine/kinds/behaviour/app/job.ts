import { ENVIRONMENT_NOT_PROVISIONED } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const job: KindBehaviour = {
  evidence: [
    'v2/api/app/customizations/job_extension_types.go',
  ],
  errors: [ENVIRONMENT_NOT_PROVISIONED],
};
