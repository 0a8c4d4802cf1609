import { Construct } from 'constructs';
import { PRIVATE_LINK_TARGETS, type PrivateLinkTarget } from '../azure/private-link';
import type { AzureResource, IAzureResourceRef } from '../core';
import { armTypeOfResource } from './arm-type';
import { idOfResource } from './resource-id';
import { PrivateDnsZone } from '../services/network/private-dns-zone';
import { PrivateEndpoint } from '../services/network/private-endpoint';
import type { IPrivateDnsZoneRef, IVirtualNetworkRef, IVirtualNetworksSubnetRef } from '../services/network/refs';
import type { IResourceGroupRef } from '../services/resources/refs';
import { suggestion } from '../util/nearest';

/** The network in which private endpoints are created. */
export interface PrivateEndpointsProps {
  /** The resource group of the endpoints and DNS zones. */
  readonly owner: IResourceGroupRef;

  /** The network in which the names resolve to private addresses. */
  readonly network: IVirtualNetworkRef;

  /** The subnet that the endpoints take their addresses from. */
  readonly subnet: IVirtualNetworksSubnetRef;

  /**
   * DNS zones that exist already, by name: `privatelink.blob.core.windows.net`. They have to be linked to the network.
   * @default - each zone is created when it is first needed, and linked to the network
   */
  readonly zones?: { [name: string]: IPrivateDnsZoneRef };

  /**
   * The region of the endpoints, which is that of the network.
   * @default - that of the owner, else of `Defaults`
   */
  readonly location?: string;
}

/**
 * Private endpoints of a network, with the DNS zones that make the public names of the resources resolve to private addresses.
 *
 * @see https://learn.microsoft.com/azure/private-link/private-endpoint-dns
 */
export class PrivateEndpoints extends Construct {
  private readonly zones: Map<string, IPrivateDnsZoneRef>;

  /**
   * Makes no object yet: `connect` does, for each resource.
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the network, the subnet and the resource group
   */
  public constructor(scope: Construct, id: string, private readonly props: PrivateEndpointsProps) {
    super(scope, id);
    this.zones = new Map(Object.entries(props.zones ?? {}));
  }

  /**
   * Creates a private endpoint for a resource, and its records in the DNS zone.
   * @param resource e.g. a storage account, a vault, a registry; not its children
   * @param groupId the part of the resource, e.g. `blob` or `queue` of a storage account; default: the usual one of the kind
   * @throws when the kind takes no private endpoint or has no such part
   */
  public connect(resource: AzureResource, groupId?: string): PrivateEndpoint {
    const { owner, subnet, location } = this.props;
    const target = this.targetOf(resource, groupId);
    const id = `${idOfResource(resource)}-${target.groupId}`;
    const endpoint = new PrivateEndpoint(this, id, {
      owner,
      ...(location !== undefined && { location }),
      subnet: { reference: subnet },
      privateLinkServiceConnections: [{ name: id.slice(0, 80), privateLinkServiceReference: resource, groupIds: [target.groupId] }],
    });
    endpoint.addPrivateDnsZoneGroup('default', {
      privateDnsZoneConfigs: [{ name: target.zone.replace(/\./g, '-'), privateDnsZoneReference: this.zone(target.zone) }],
    });
    return endpoint;
  }

  /**
   * The private DNS zone of a name, created and linked to the network if there is none.
   * @param name e.g. `privatelink.blob.core.windows.net`
   */
  public zone(name: string): IPrivateDnsZoneRef {
    const known = this.zones.get(name);
    if (known) return known;
    const zone = new PrivateDnsZone(this, name, { owner: this.props.owner, azureName: name });
    zone.addVirtualNetworkLink('network', { virtualNetwork: { reference: this.props.network }, registrationEnabled: false });
    this.zones.set(name, zone);
    return zone;
  }

  private targetOf(resource: AzureResource & IAzureResourceRef, groupId: string | undefined): PrivateLinkTarget {
    const targets = PRIVATE_LINK_TARGETS[armTypeOfResource(resource)];
    const where = `[${this.node.path}] connect:`;
    if (!targets) throw new Error(`${where} the zone of a ${resource.kind} (${resource.node.path}) is not known here. Create the PrivateEndpoint and its zone group.`);
    const found = groupId === undefined ? targets[0] : targets.find((target) => target.groupId.toLowerCase() === groupId.toLowerCase());
    if (found) return found;
    const names = targets.map((target) => target.groupId);
    throw new Error(`${where} a ${resource.kind} has no part '${groupId}'.${suggestion(groupId!, names)} It has: ${names.join(', ')}.`);
  }
}
