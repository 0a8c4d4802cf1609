import { AurlandNaming } from './naming';
import { apps, domain, hubGroup, hubSubscription, location, sharedGroup, spokeSubscription, subnet, tenantId } from './network-plan';
import { AzureReference, BuiltInRole } from 'cdk8s-aso';
import { Environment, SharedService, StorageSubResource, WorkloadIdentityMode } from 'cdk8s-aso/platform';

/** Names of the shared services in Azure. */
export const names = {
  serviceBus: 'aur-prd-bus',
  eventHubs: 'aur-prd-events',
  postgres: 'aur-prd-databases',
  keyVault: 'aur-prd-secrets',
  frontDoor: 'aur-prd-front-door',
  endpoint: 'aurland',
};

const issuers = `https://norwayeast.oic.prod-aks.azure.com/${tenantId}`;
const shared = (type: string) => AzureReference.fromArmId(
  `/subscriptions/${spokeSubscription}/resourceGroups/${sharedGroup}/providers/${type}`,
);
const inHub = (type: string) => AzureReference.fromArmId(`/subscriptions/${hubSubscription}/resourceGroups/${hubGroup}/providers/${type}`);
/** A role that may create what teams ask for in shared services, but cannot delete or read anything. */
const role = BuiltInRole.custom('0f6b3c8e-52d7-4a19-8e41-b97d60f2a5c3');

export const prd = new Environment({
  name: 'prd',
  subscriptionId: spokeSubscription,
  subscriptionName: 'aur-spokes-prd',
  tenantId,
  location,
  clusters: [{ name: 'aur-prd-aks', oidcIssuerUrl: `${issuers}/5b2e8d1f-7c46-4e93-a0d8-6f1b9c4e7a35/` }],
  platform: { namespace: 'aurland-platform', identityClientId: 'd2a7f4e1-3c58-4b96-8f0d-7e1c5a9b2d64' },
  naming: new AurlandNaming(),
  // Teams write no Secrets and no objects of Azure, so they cannot name an identity that is not theirs.
  workloadIdentity: WorkloadIdentityMode.RELAXED,
  storageAccountSku: 'Standard_ZRS',
  tags: { company: 'aurland', environment: 'prd' },
  shared: {
    // An open list: another service, also of the same type, is one more entry.
    services: [
      SharedService.serviceBus({ resource: shared(`Microsoft.ServiceBus/namespaces/${names.serviceBus}`), role }),
      SharedService.eventHubs({ resource: shared(`Microsoft.EventHub/namespaces/${names.eventHubs}`), role }),
      SharedService.postgresServer({ resource: shared(`Microsoft.DBforPostgreSQL/flexibleServers/${names.postgres}`), role }),
      SharedService.keyVault({ resource: shared(`Microsoft.KeyVault/vaults/${names.keyVault}`) }),
      SharedService.frontDoorEndpoint({ resource: shared(`Microsoft.Cdn/profiles/${names.frontDoor}/afdEndpoints/${names.endpoint}`), role }),
      SharedService.dnsZone({ resource: inHub(`Microsoft.Network/dnsZones/${domain}`) }),
    ],
    privateAccess: { subnet: subnet(apps, 'endpoints'), storage: [StorageSubResource.BLOB] },
    privateDnsZones: [{ location, subscriptionId: hubSubscription, resourceGroup: hubGroup }],
  },
});
