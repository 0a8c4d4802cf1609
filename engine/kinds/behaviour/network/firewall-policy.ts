import type { KindBehaviour } from '../../kind-behaviour';

export const firewallPolicy: KindBehaviour = {
  evidence: [
    'https://github.com/hashicorp/terraform-provider-azurerm/pull/32081',
  ],
  serialWrites: {
    // 409 AnotherOperationInProgress.
    parent: 'Microsoft.Network/firewallPolicies',
    alone: ['ruleCollectionGroups'],
    itself: true,
  },
};
