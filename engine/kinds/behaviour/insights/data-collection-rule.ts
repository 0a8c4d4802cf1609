import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const dataCollectionRule: KindBehaviour = {
  evidence: [
    'v2/api/insights/customizations/data_collection_rule_extension.go',
  ],
  errors: [{ codes: ['WorkspaceNotFound'], become: RETRYABLE }],
};
