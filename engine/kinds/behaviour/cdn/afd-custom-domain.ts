import { SLOW } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const afdCustomDomain: KindBehaviour = {
  evidence: [
    'v2/api/cdn/customizations/afd_custom_domain_extension.go',
  ],
  errors: [{ codes: ['BadRequest'], message: ['This resource is still associated with a route'], become: SLOW }],
};
