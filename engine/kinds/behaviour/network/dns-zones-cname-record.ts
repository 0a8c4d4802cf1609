import { DNS_TARGET_NOT_FOUND } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const dnsZonesCNAMERecord: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/dns_zones_cname_record_extension.go',
  ],
  errors: [DNS_TARGET_NOT_FOUND],
};
