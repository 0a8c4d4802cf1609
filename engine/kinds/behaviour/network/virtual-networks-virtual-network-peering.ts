import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

/** Writes are serialized by the network: `virtual-network.ts`. */
export const virtualNetworksVirtualNetworkPeering: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/virtual_networks_virtual_network_peering_extension.go',
  ],
  errors: [{ codes: ['ReferencedResourceNotProvisioned'], become: RETRYABLE }],
};
