import { Construct } from 'constructs';
import { PRIVATE_LINK, type PrivateLinkTarget } from '../azure/private-link';
import type { AzureResource, IAzureResourceRef } from '../core';
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

/** The part of a resource that an endpoint leads to, and the zones of its names. */
export interface PrivateConnectionOptions {
  /**
   * The part of the resource, e.g. `blob`, `queue` or `dfs` of a storage account.
   * @default - the usual one of the kind
   */
  readonly groupId?: string;

  /**
   * Names of the private DNS zones, at most five: for a cloud, a tier or a kind whose zones are not known here.
   * @default - those of Azure's public cloud for the kind and the part
   */
  readonly zones?: string[];
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
   * Creates a private endpoint for a resource, and its records in the DNS zones: one zone for most kinds, three for a Cognitive Services
   * account, which answers under the names of Azure OpenAI as well.
   * @param resource e.g. a storage account, a vault, a registry; not its children
   * @param options the part of the resource, and other zones; each part takes an endpoint of its own: a data lake has `dfs` and `blob`
   * @throws when the kind takes no private endpoint or has no such part
   */
  public connect(resource: AzureResource, options: PrivateConnectionOptions = {}): PrivateEndpoint {
    const { owner, subnet, location } = this.props;
    const target = this.targetOf(resource, options);
    const id = `${idOfResource(resource)}-${target.groupId}`;
    const endpoint = new PrivateEndpoint(this, id, {
      owner,
      ...(location !== undefined && { location }),
      subnet: { reference: subnet },
      privateLinkServiceConnections: [{ name: id.slice(0, 80), privateLinkServiceReference: resource, groupIds: [target.groupId] }],
    });
    endpoint.addPrivateDnsZoneGroup('default', {
      privateDnsZoneConfigs: target.zones.map((zone) => ({ name: zone.replace(/\./g, '-'), privateDnsZoneReference: this.zone(zone) })),
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

  private targetOf(resource: AzureResource & IAzureResourceRef, { groupId, zones }: PrivateConnectionOptions): PrivateLinkTarget {
    const targets = PRIVATE_LINK[`${resource.apiGroup}/${resource.kind}`]?.targets;
    const where = `[${this.node.path}] connect:`;
    if (!targets) {
      if (groupId !== undefined && zones !== undefined) return { groupId, zones };
      throw new Error(`${where} the parts of a ${resource.kind} (${resource.node.path}) are not known here. Give groupId and zones.`);
    }
    const found = groupId === undefined ? targets[0] : targets.find((target) => target.groupId.toLowerCase() === groupId.toLowerCase());
    if (found) return { ...found, zones: zones ?? found.zones.map((zone) => zone.replace('{region}', () => this.regionOf(resource))) };
    const names = targets.map((target) => target.groupId);
    throw new Error(`${where} a ${resource.kind} has no part '${groupId}'.${suggestion(groupId!, names)} It has: ${names.join(', ')}.`);
  }

  private regionOf(resource: AzureResource): string {
    const { location } = resource._toSpec() as { readonly location?: unknown };
    if (typeof location === 'string') return location.toLowerCase().replace(/ /g, '');
    throw new Error(`[${this.node.path}] connect: the zone of a ${resource.kind} has its region in its name, and ${resource.node.path} has none. Give zones.`);
  }
}
