import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const azureFirewall: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/azure_firewall_extension.go',
  ],
  errors: [{ codes: ['AzfwAddToFirewallPolicyFailed'], message: [/failed to reference Firewall Policy/i], become: RETRYABLE }],
};
