import type { KindBehaviour } from '../../kind-behaviour';

export const account: KindBehaviour = {
  evidence: [
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/22607',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/22939',
    'https://github.com/Azure-Samples/tutor/issues/117',
  ],
  serialWrites: {
    // 409 RequestConflict ("Another operation is being performed on the parent resource"), also to deletions.
    // The last link is about the account itself.
    parent: 'Microsoft.CognitiveServices/accounts',
    alone: ['deployments'],
    itself: true,
  },
};
