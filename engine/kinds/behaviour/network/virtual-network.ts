import { keepExisting } from '../../kept-children';
import type { KindBehaviour } from '../../kind-behaviour';

/** Subnets are objects of their own; a PUT of the network without them removes them. */
export const virtualNetwork: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/virtual_network_extensions.go',
    'https://github.com/Azure/terraform-provider-azapi/issues/503',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/26980',
  ],
  bodyChange: keepExisting,
  serialWrites: {
    // 409 AnotherOperationInProgress among subnets, and 429 RetryableErrorDueToAnotherOperation ("Operation
    // PutVirtualNetworkPeeringOperation is updating resource …/virtualNetworks/…") between peerings and subnets: answers of Azure to ASO,
    // which sends all requests at once, in four versions. The last link is about the network itself.
    parent: 'Microsoft.Network/virtualNetworks',
    alone: ['subnets', 'virtualNetworkPeerings'],
    itself: true,
  },
};
