import { AzureReference, BuiltInRole } from 'cdk8s-aso';
import { Environment, SharedService, Team } from 'cdk8s-aso/platform';

const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
const SHARED = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared/providers`;
export const ZONE = `${SHARED}/Microsoft.Network/dnsZones/example.com`;
export const ENDPOINT = `${SHARED}/Microsoft.Cdn/profiles/afd-shared/afdEndpoints/edge`;

export const dev = new Environment({
  name: 'dev',
  subscriptionId: SUBSCRIPTION,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: 'uksouth',
  clusters: [{ name: 'aks-dev', oidcIssuerUrl: 'https://issuer.example/dev/' }],
  platform: {
    namespace: 'platform',
    identityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
    roles: [BuiltInRole.CONTRIBUTOR, BuiltInRole.USER_ACCESS_ADMINISTRATOR].map((role) => ({ role, scope: `/subscriptions/${SUBSCRIPTION}` })),
  },
  shared: {
    services: [
      SharedService.frontDoorEndpoint({ resource: AzureReference.fromArmId(ENDPOINT), role: BuiltInRole.CONTRIBUTOR, mayDelete: true }),
      SharedService.dnsZone({ resource: AzureReference.fromArmId(ZONE) }),
    ],
  },
});
/** A team that may have host names. */
export const ledger = new Team({ name: 'ledger', uses: ['front-door', 'dns-zone'], hostNames: ['shop.example.com', '*.ledger.example.com'] }).in(dev);
