import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const namespacesTopicsSubscription: KindBehaviour = {
  evidence: [
    'v2/api/servicebus/customizations/namespaces_topic_subscription_extension.go',
  ],
  errors: [{ codes: ['MessagingGatewayBadRequest'], become: RETRYABLE }],
};
