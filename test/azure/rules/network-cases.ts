import { many, of, type Case, type Parent } from './case';

const network = (kind: string) => `network.azure.com/${kind}`;
const SUBNET: Parent = {
  kind: network('VirtualNetworksSubnet'),
  name: 'a',
  spec: { addressPrefix: '10.0.0.0/24', serviceEndpoints: [{ service: 'Microsoft.KeyVault' }] },
  owner: { kind: network('VirtualNetwork'), spec: { location: 'uksouth' } },
};
const in_ = { refersTo: SUBNET };
const V6: Parent = { kind: network('PublicIPAddress'), name: 'p', spec: { sku: { name: 'Standard' }, publicIPAddressVersion: 'IPv6' } };
const V4: Parent = { kind: network('PublicIPAddress'), name: 'p', spec: { sku: { name: 'Standard' } } };
const addressed = (privateIPAddress?: string) => ({ ipConfigurations: [{ privateIPAllocationMethod: 'Static', ...(privateIPAddress && { privateIPAddress }), subnet: { reference: {} } }] });
const peer = (name: string, more: object = {}) => ({ remoteVirtualNetwork: { reference: { group: 'network.azure.com', kind: 'VirtualNetwork', name } }, ...more });
const link = (name: string) => ({ virtualNetwork: { reference: { group: 'network.azure.com', kind: 'VirtualNetwork', name } } });
const nat = (name: string) => ({ sku: { name }, publicIpAddresses: [{ reference: { name: 'p' } }] });
const vaultBy = (group: string) => ({ privateLinkServiceConnections: [{ groupIds: [group], privateLinkServiceReference: { armId: '/subscriptions/s/resourceGroups/r/providers/Microsoft.KeyVault/vaults/v' } }] });
const message = (length: number) => ({ manualPrivateLinkServiceConnections: [{ requestMessage: 'x'.repeat(length) }] });

/** Cases of what lies in networks, and of what refers to it. */
export const NETWORK_CASES: readonly Case[] = [
  ...of(network('NetworkInterface'), [
    ['link-region', { location: 'ukwest', ...addressed('10.0.0.4') }, 'location', { location: 'UK South', ...addressed('10.0.0.4') }, in_],
    ['interface-address', addressed(), 'ipConfigurations[0].privateIPAddress', addressed('10.0.0.4'), in_],
    ['interface-address', addressed('10.0.1.4'), 'ipConfigurations[0].privateIPAddress', addressed('10.0.0.254'), in_],
    ['interface-address', addressed('10.0.0.255'), 'ipConfigurations[0].privateIPAddress', { ipConfigurations: [{ privateIPAllocationMethod: 'Dynamic' }] }, in_],
    ['network-dns-servers', { dnsSettings: { dnsServers: ['dns.shop'] } }, 'dnsSettings.dnsServers[0]', { dnsSettings: { dnsServers: ['AzureProvidedDNS'] } }],
  ]),
  ...of('web.azure.com/Site', [
    ['link-region', { location: 'uksouth', serverFarmReference: {} }, 'location', { location: 'westeurope', serverFarmReference: {} }, { refersTo: { kind: 'web.azure.com/ServerFarm', name: 'plan', spec: { location: 'westeurope' } } }],
  ]),
  ...of('storage.azure.com/StorageAccount', [
    ['subnet-service-endpoint', { networkAcls: { virtualNetworkRules: [{ reference: {} }] } }, 'networkAcls.virtualNetworkRules[0].reference', { networkAcls: { virtualNetworkRules: [] } }, in_],
  ]),
  ...of('documentdb.azure.com/DatabaseAccount', [
    ['subnet-service-endpoint', { virtualNetworkRules: [{ reference: {} }] }, 'virtualNetworkRules[0].reference', { virtualNetworkRules: [{ reference: {}, ignoreMissingVNetServiceEndpoint: true }] }, in_],
  ]),
  ...of(network('VirtualNetwork'), [
    ['network-dns-servers', { dhcpOptions: { dnsServers: ['dns.shop'] } }, 'dhcpOptions.dnsServers[0]', { dhcpOptions: { dnsServers: ['10.0.0.4'] } }],
    ['network-flow-timeout', { flowTimeoutInMinutes: 60 }, 'flowTimeoutInMinutes', { flowTimeoutInMinutes: 30 }],
  ]),
  ...of(network('VirtualNetworksSubnet'), [
    ['subnet-service-name', { serviceEndpoints: [{ service: 'Microsoft.KeyVaults' }] }, 'serviceEndpoints[0].service', { serviceEndpoints: [{ service: 'Microsoft.Storage.Global' }] }],
    ['subnet-service-name', { delegations: [{ serviceName: 'Microsoft.Web/serverFarm' }] }, 'delegations[0].serviceName', { delegations: [{ serviceName: 'Microsoft.Web/hostingEnvironments' }] }],
    ['subnet-gateway-nat', { natGateway: { reference: {} } }, 'natGateway', { addressPrefix: '10.0.0.0/27' }, { name: 'GatewaySubnet' }],
  ]),
  ...of(network('NatGateway'), [
    ['nat-gateway-addresses', nat('Standard'), 'publicIpAddresses[0].reference', {}, { refersTo: V6 }],
    ['nat-gateway-addresses', nat('StandardV2'), 'publicIpAddresses[0].reference', nat('Standard'), { refersTo: V4 }],
  ]),
  ...of(network('PublicIPPrefix'), [['public-ip-prefix-length', { prefixLength: 33 }, 'prefixLength', { prefixLength: 124, publicIPAddressVersion: 'IPv6' }]]),
  ...of(network('PrivateEndpoint'), [
    ['private-endpoint-address', { subnet: { reference: {} }, ipConfigurations: [{ privateIPAddress: '10.9.0.4' }] }, 'ipConfigurations[0].privateIPAddress', { subnet: { reference: {} }, ipConfigurations: [{ privateIPAddress: '10.0.0.4' }] }, in_],
    ['private-endpoint-group', vaultBy('keyvault'), 'privateLinkServiceConnections[0].groupIds[0]', vaultBy('vault')],
    ['private-endpoint-message', message(141), 'manualPrivateLinkServiceConnections[0].requestMessage', message(140)],
  ]),
  ...of(network('PrivateEndpointsPrivateDnsZoneGroup'), [
    ['private-endpoint-zones', { privateDnsZoneConfigs: many(6, () => ({})) }, 'privateDnsZoneConfigs', { privateDnsZoneConfigs: many(5, () => ({})) }],
  ]),
  ...of(network('PrivateDnsZonesVirtualNetworkLink'), [['private-dns-link-twice', link('net'), 'virtualNetwork.reference', link('other'), { siblings: [link('net')] }]]),
  ...of(network('VirtualNetworksVirtualNetworkPeering'), [
    ['peering-twice', peer('hub'), 'remoteVirtualNetwork.reference', peer('hub2'), { siblings: [peer('hub')] }],
    ['peering-twice', peer('hub'), 'remoteVirtualNetwork.reference', peer('hub', { peerCompleteVnets: false }), { siblings: [peer('hub')] }],
    ['peering-remote-gateways', peer('hub', { useRemoteGateways: true }), 'useRemoteGateways', peer('hub', { useRemoteGateways: false }), { siblings: [peer('hub2', { useRemoteGateways: true })] }],
  ]),
  ...of(network('RouteTablesRoute'), [['route-prefix-taken', { addressPrefix: '10.0.0.0/8' }, 'addressPrefix', { addressPrefix: '10.0.0.0/9' }, { siblings: [{ addressPrefix: '10.0.0.0/8' }] }]]),
  ...of(network('NetworkSecurityGroupsSecurityRule'), [
    ['security-rule-family', { sourceAddressPrefix: '2001:db8::/32', destinationAddressPrefix: '10.0.0.0/8' }, 'destinationAddressPrefix', { sourceAddressPrefix: 'Internet', destinationAddressPrefix: '10.0.0.4' }],
    ['security-rule-tag', { sourceAddressPrefix: 'Interet' }, 'sourceAddressPrefix', { sourceAddressPrefix: 'Storage.UKSouth', destinationAddressPrefix: 'AzureDevOps' }],
  ]),
  ...of(network('BastionHost'), [
    ['bastion-features', { sku: { name: 'Basic' }, enableTunneling: true }, 'enableTunneling', { sku: { name: 'Standard' }, enableTunneling: true }],
    ['bastion-features', { sku: { name: 'Standard' }, scaleUnits: 51 }, 'scaleUnits', { sku: { name: 'Basic' }, scaleUnits: 2 }],
  ]),
  ...of(network('DnsResolversInboundEndpoint'), [
    ['resolver-address', { ipConfigurations: [{ privateIpAllocationMethod: 'Static', privateIpAddress: '10.9.0.4', subnet: { reference: {} } }] }, 'ipConfigurations[0].privateIpAddress', { ipConfigurations: [{ privateIpAllocationMethod: 'Dynamic' }] }, in_],
  ]),
  ...of(network('DnsForwardingRuleSetsForwardingRule'), [
    ['resolver-domain', { domainName: 'corp.shop' }, 'domainName', { domainName: 'corp.shop.', targetDnsServers: [{ ipAddress: '10.0.0.4', port: 53 }] }],
    ['resolver-server', { targetDnsServers: [{ ipAddress: '10.0.0.4', port: 99_999 }] }, 'targetDnsServers[0].port', { domainName: '.' }],
  ]),
];
