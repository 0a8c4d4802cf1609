import { mergeByName } from '../../kept-children';
import type { KindBehaviour } from '../../kind-behaviour';

/** Inbound NAT rules can be objects of their own; a PUT of the load balancer without them removes them. */
export const loadBalancer: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/load_balancer_extension.go',
    'https://github.com/Azure/azure-powershell/issues/4889',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/13886',
  ],
  bodyChange: mergeByName(),
  serialWrites: {
    // 429 RetryableError among NAT rules. The load balancer itself is sent with its rules, so a rule created between its read and its PUT
    // would be lost.
    parent: 'Microsoft.Network/loadBalancers',
    alone: ['inboundNatRules'],
    itself: true,
  },
};
