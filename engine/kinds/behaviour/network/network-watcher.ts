import type { KindBehaviour } from '../../kind-behaviour';

export const networkWatcher: KindBehaviour = {
  evidence: [
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/14152',
  ],
  serialWrites: {
    // 409 AnotherOperationInProgress.
    parent: 'Microsoft.Network/networkWatchers',
    alone: ['flowLogs'],
    itself: false,
  },
};
