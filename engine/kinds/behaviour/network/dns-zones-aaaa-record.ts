import { DNS_TARGET_NOT_FOUND } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const dnsZonesAAAARecord: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/dns_zones_aaaa_record_extension.go',
  ],
  errors: [DNS_TARGET_NOT_FOUND],
};
