import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const disk: KindBehaviour = {
  evidence: [
    'v2/api/compute/customizations/disk_extensions.go',
  ],
  errors: [
    { codes: ['BadRequest'], message: [/DiskAccess.*not found/], become: RETRYABLE },
    { codes: ['Conflict'], message: [/DiskAccess.*is in failed state./], become: RETRYABLE },
  ],
};
