import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const securityPolicy: KindBehaviour = {
  evidence: [
    'v2/api/cdn/customizations/security_policy_extension_types.go',
  ],
  errors: [{
    codes: ['BadRequest'],
    message: ['is not associated with the AFDX profile', 'is in a invalid provisioning state'],
    become: RETRYABLE,
  }],
};
