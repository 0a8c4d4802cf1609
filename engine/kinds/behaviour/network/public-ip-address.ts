import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const publicIPAddress: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/public_ip_address_extension.go',
  ],
  errors: [{ codes: ['ReferencedResourceNotProvisioned'], become: RETRYABLE }],
};
