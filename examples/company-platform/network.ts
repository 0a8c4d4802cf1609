import type { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { apps, data, domain, hub, hubGroup, hubSubscription, location, privateZones, spokeGroup, type NetworkPlan } from './network-plan';
import { CredentialReference, Credentials } from 'cdk8s-aso';
import { DnsZone, PrivateDnsZone, PrivateEndpointNetworkPolicies, VirtualNetwork, VirtualNetworksSubnet, type IVirtualNetworksSubnetRef } from 'cdk8s-aso/network';
import { ResourceGroup } from 'cdk8s-aso/resources';

/** Hub and spokes: every spoke is a peer of the hub and of nothing else, and the zones of the hub are linked to all of them. */
export class HubAndSpokes extends Construct {
  public readonly hub: VirtualNetwork;
  public readonly zones: Record<string, PrivateDnsZone> = {};
  public readonly hubGroup: ResourceGroup;

  public constructor(chart: Chart) {
    super(chart, 'network');
    const inHub = new Construct(this, 'hub');
    // A credential is for one subscription. This one is made by `foundation.ts`.
    Credentials.of(inHub).use(CredentialReference.fromSecretName(`aso-credential-${hubSubscription}`));
    this.hubGroup = new ResourceGroup(inHub, 'group', { azureName: hubGroup, location });
    const owner = new ResourceGroup(this, 'spokes', { azureName: spokeGroup, location });

    this.hub = network(inHub, this.hubGroup, hub);
    const spokes = [apps, data].map((plan) => network(this, owner, plan));
    for (const zone of privateZones) {
      const made = new PrivateDnsZone(inHub, zone, { owner: this.hubGroup, azureName: zone });
      for (const linked of [this.hub, ...spokes]) {
        made.addVirtualNetworkLink(linked.node.id, { virtualNetwork: { reference: linked }, registrationEnabled: false });
      }
      this.zones[zone] = made;
    }
    for (const spoke of spokes) {
      spoke.addPeering('to-hub', peer(this.hub));
      this.hub.addPeering(`to-${spoke.node.id}`, peer(spoke));
    }
    new DnsZone(inHub, 'domain', { owner: this.hubGroup, azureName: domain });
  }
}

/** Traffic that comes from another spoke, through the hub's firewall, is let in. */
function peer(remote: VirtualNetwork) {
  return { remoteVirtualNetwork: { reference: remote }, allowVirtualNetworkAccess: true, allowForwardedTraffic: true };
}

function network(scope: Construct, owner: ResourceGroup, { name, addresses, subnets }: NetworkPlan): VirtualNetwork {
  const made = new VirtualNetwork(scope, name, { owner, azureName: name, location, addressSpace: { addressPrefixes: [addresses] } });
  for (const [part, addressPrefix] of Object.entries(subnets)) {
    made.addSubnet(part, { azureName: part, addressPrefix, privateEndpointNetworkPolicies: PrivateEndpointNetworkPolicies.ENABLED });
  }
  return made;
}

/** The subnet of the hub for the endpoints of shared services. */
export function sharedEndpoints(): IVirtualNetworksSubnetRef {
  const group = `/subscriptions/${hubSubscription}/resourceGroups/${hubGroup}`;
  return VirtualNetworksSubnet.fromArmId(`${group}/providers/Microsoft.Network/virtualNetworks/${hub.name}/subnets/shared-endpoints`);
}
