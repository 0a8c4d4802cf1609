import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const workspace: KindBehaviour = {
  evidence: [
    'v2/api/machinelearningservices/customizations/workspace_extension.go',
  ],
  errors: [{ codes: ['BadRequest'], message: ['StorageAccountIsNotProvisioned'], become: RETRYABLE }],
};
