import { ORIGIN_GROUP_NOT_READY } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const rule: KindBehaviour = {
  evidence: [
    'v2/api/cdn/customizations/rule_extension_types.go',
  ],
  errors: [ORIGIN_GROUP_NOT_READY],
};
