import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const virtualMachine: KindBehaviour = {
  evidence: [
    'v2/api/compute/customizations/vm_extensions.go',
  ],
  errors: [{ codes: ['OperationNotAllowed'], become: RETRYABLE }],
};
