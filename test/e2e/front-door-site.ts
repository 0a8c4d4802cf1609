import * as z from 'zod';
import { ledger } from './front-door-platform';
import { Service } from 'cdk8s-aso/platform';
import { defineApi } from 'cdk8s-aso/platform-api';

const DOMAIN = { group: 'cdn.azure.com', kind: 'AfdCustomDomain' };
const dns = (kind: string) => ({ group: 'network.azure.com', kind });

/** A site of the team, with its domain. */
export default defineApi({
  group: 'platform.example.com',
  kind: 'Site',
  version: 'v1',
  schema: z.object({ hostName: z.string() }),
  composes: [
    DOMAIN, dns('DnsZonesCNAMERecord'), dns('DnsZonesTXTRecord'),
    { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' },
    { group: 'managedidentity.azure.com', kind: 'FederatedIdentityCredential' },
    { group: '', kind: 'ServiceAccount' },
  ],
  reads: [DOMAIN],
  compose(chart, claim) {
    const { domains } = new Service(chart, 'service', { team: ledger, name: claim.name, domains: [{ hostName: claim.spec.hostName }] });
    for (const domain of domains) {
      const { name } = domain.resource!;
      const { namespace } = ledger;
      const found = claim.read<unknown, { validationProperties?: { validationToken?: string } }>({ ...DOMAIN, namespace, name });
      const token = found?.status?.validationProperties?.validationToken;
      if (token) domain.addValidationRecord(token);
    }
  },
});
