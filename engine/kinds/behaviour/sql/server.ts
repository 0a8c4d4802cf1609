import { FATAL } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const server: KindBehaviour = {
  evidence: [
    'v2/api/sql/customizations/server_extension_types.go',
  ],
  errors: [{ codes: ['PasswordNotComplex'], become: FATAL }],
};
