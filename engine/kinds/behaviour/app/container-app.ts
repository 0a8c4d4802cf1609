import { ENVIRONMENT_NOT_PROVISIONED } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const containerApp: KindBehaviour = {
  evidence: [
    'v2/api/app/customizations/container_app_extension_types.go',
  ],
  errors: [ENVIRONMENT_NOT_PROVISIONED],
};
