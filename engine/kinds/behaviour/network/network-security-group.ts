import { keepExisting } from '../../kept-children';
import type { KindBehaviour } from '../../kind-behaviour';

/** Security rules are objects of their own; a PUT of the group without them removes them. */
export const networkSecurityGroup: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/network_security_group_extension.go',
    'https://github.com/Azure/azure-sdk-for-python/issues/556',
  ],
  bodyChange: keepExisting,
  serialWrites: {
    // 429 RetryableErrorDueToAnotherOperation ("Operation PutSecurityRuleOperation").
    parent: 'Microsoft.Network/networkSecurityGroups',
    alone: ['securityRules'],
    itself: true,
  },
};
