import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const dnsForwardingRuleset: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/dns_forwarding_ruleset.go',
  ],
  errors: [{ message: ['was not found'], become: RETRYABLE }],
};
