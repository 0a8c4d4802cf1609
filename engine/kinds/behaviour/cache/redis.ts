import type { KindBehaviour } from '../../kind-behaviour';

export const redis: KindBehaviour = {
  evidence: [
    'https://github.com/hashicorp/terraform-provider-azurerm/pull/26085',
  ],
  serialWrites: {
    // "Another job is in progress".
    parent: 'Microsoft.Cache/redis',
    alone: ['accessPolicies', 'accessPolicyAssignments'],
    itself: true,
  },
};
