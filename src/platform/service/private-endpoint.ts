import type { Construct } from 'constructs';
import { explicit } from './explicit';
import type { Kind, ServiceObjects } from './service-objects';
import { sameRegion } from './storage-checks';
import { PrivateEndpoint } from '../../services/network/private-endpoint';
import { PrivateEndpointsPrivateDnsZoneGroup } from '../../services/network/private-endpoints-private-dns-zone-group';
import { ResourceGroup } from '../../services/resources/resource-group';
import type { PrivateAccess } from '../model/shared-services';
import type { StorageSubResource } from '../model/storage-sub-resource';

const ENDPOINT: Kind = ['network.azure.com', 'PrivateEndpoint'];
const ZONE_GROUP: Kind = ['network.azure.com', 'PrivateEndpointsPrivateDnsZoneGroup'];

/** The account behind a private endpoint. */
export interface EndpointTarget {
  readonly armId: string;
  readonly azureName: string;
  readonly location: string;
  /** ARM id of the resource group. */
  readonly groupId: string;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** The private DNS zone of a part of a storage account. */
export function zoneOf(subResource: string): string {
  return `privatelink.${subResource}.core.windows.net`;
}

/** ARM id of a private DNS zone. */
export function zoneId(zones: { readonly subscriptionId: string; readonly resourceGroup: string }, zone: string): string {
  return `/subscriptions/${zones.subscriptionId}/resourceGroups/${zones.resourceGroup}/providers/Microsoft.Network/privateDnsZones/${zone}`;
}

/** Creates a private endpoint, and the zone group that maintains its records in the private DNS zone of the account's region. */
export function makePrivateEndpoint(
  scope: Construct, objects: ServiceObjects, access: PrivateAccess, account: EndpointTarget, subResource: StorageSubResource,
): PrivateEndpoint {
  const { team } = objects.id;
  const { environment } = team;
  const name = environment.naming.privateEndpoint(objects.id, account.azureName, subResource);
  const endpoint = new PrivateEndpoint(scope, `endpoint-${subResource}`, {
    ...objects.inPlatform(ENDPOINT, name),
    azureName: name,
    owner: ResourceGroup.fromArmId(account.groupId),
    location: account.location,
    customNetworkInterfaceName: `${name}-nic`,
    privateLinkServiceConnections: [{
      name,
      groupIds: [subResource],
      privateLinkServiceConnectionState: { status: 'Approved', description: 'Auto-Approved', actionsRequired: 'None' },
      privateLinkServiceReference: objects.reference(account.armId),
    }],
    subnet: { reference: objects.reference(environment.armIdOf(access.subnet)) },
    ...explicit({ tags: objects.tags(account.tags) }),
  });
  const zones = environment.shared.privateDnsZones?.find(({ location }) => sameRegion(location, account.location));
  if (zones) {
    const zone = zoneOf(subResource);
    new PrivateEndpointsPrivateDnsZoneGroup(scope, `zone-group-${subResource}`, {
      ...objects.inPlatform(ZONE_GROUP, `${name}-default`),
      azureName: 'default',
      owner: endpoint,
      privateDnsZoneConfigs: [{ name: zone.replace(/\./g, '-'), privateDnsZoneReference: objects.reference(zoneId(zones, zone)) }],
    });
  }
  return endpoint;
}
