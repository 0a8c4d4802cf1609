import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';
import type { Body, KindContext, PostCheck } from '../../types';

/** Writes are serialized by the network: `virtual-network.ts`. */
export const virtualNetworksSubnet: KindBehaviour = {
  evidence: ['v2/api/network/customizations/virtual_network_subnet_extensions.go'],
  errors: [{ codes: ['NetcfgSubnetRangeOutsideVnet'], become: RETRYABLE }],
  postCheck: withoutManyIpConfigurations,
};

/** Maximum number of IP configurations in the status: the subnet of a large cluster has more than an object can hold. */
const MOST_IP_CONFIGURATIONS = 2000;

function withoutManyIpConfigurations(_: KindContext, status: Body): PostCheck {
  const { ipConfigurations, ...rest } = status;
  return Array.isArray(ipConfigurations) && ipConfigurations.length > MOST_IP_CONFIGURATIONS ? { status: rest } : {};
}
