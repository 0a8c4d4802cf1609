import { ORIGIN_GROUP_NOT_READY } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const route: KindBehaviour = {
  evidence: [
    'v2/api/cdn/customizations/route_extension_types.go',
  ],
  errors: [ORIGIN_GROUP_NOT_READY],
};
