import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const scheduledQueryRule: KindBehaviour = {
  evidence: [
    'v2/api/insights/customizations/scheduled_query_rule_extensions.go',
  ],
  errors: [{ codes: ['BadRequest'], message: [/does not exist|insufficient access/], become: RETRYABLE }],
};
