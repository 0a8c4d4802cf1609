import { names } from './names';
import { common, put, SHOP, type Area, type Put } from './put';

const GROUP = `${SHOP}-network`;
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const HUB = `${NETWORK}/virtualNetworks/shop-hub`;
const SHOP_NETWORK = `${SHOP}/providers/Microsoft.Network/virtualNetworks/shop-vnet`;
const BALANCER = `${NETWORK}/loadBalancers/shop-lb`;
const FRONTEND = `${BALANCER}/frontendIPConfigurations/inside`;
const VERSION = '2024-05-01';

const staticIp = (name: string): Put =>
  put(VERSION, `${NETWORK}/publicIPAddresses/${name}`, {
    ...common,
    sku: { name: 'Standard', tier: 'Regional' },
    zones: ['1', '2', '3'],
    properties: {
      publicIPAllocationMethod: 'Static',
      publicIPAddressVersion: 'IPv4',
    },
  });

const protection: readonly Put[] = [
  put(VERSION, `${NETWORK}/networkSecurityGroups/shop-nsg`, common),
  put(VERSION, `${NETWORK}/networkSecurityGroups/shop-nsg/securityRules/https`, {
    properties: {
      description: 'HTTPS from the office',
      access: 'Allow',
      direction: 'Inbound',
      priority: 200,
      protocol: 'Tcp',
      sourceAddressPrefix: '203.0.113.0/24',
      sourcePortRange: '*',
      destinationAddressPrefix: '*',
      destinationPortRange: '443',
    },
  }),
  put(VERSION, `${NETWORK}/applicationSecurityGroups/shop-web`, common),
  put(VERSION, `${NETWORK}/routeTables/shop-routes`, { ...common, properties: { disableBgpRoutePropagation: true } }),
  put(VERSION, `${NETWORK}/routeTables/shop-routes/routes/internet`, {
    properties: { addressPrefix: '0.0.0.0/0', nextHopType: 'VirtualAppliance', nextHopIpAddress: '10.30.1.4' },
  }),
];

const hub: readonly Put[] = [
  put(VERSION, HUB, { ...common, properties: { addressSpace: { addressPrefixes: ['10.30.0.0/16'] } } }),
  put(VERSION, `${HUB}/subnets/services`, {
    properties: {
      addressPrefix: '10.30.0.0/24',
      networkSecurityGroup: { id: `${NETWORK}/networkSecurityGroups/shop-nsg` },
      routeTable: { id: `${NETWORK}/routeTables/shop-routes` },
    },
  }),
  put(VERSION, `${HUB}/subnets/AzureFirewallSubnet`, { properties: { addressPrefix: '10.30.1.0/26' } }),
  put(VERSION, `${HUB}/subnets/AzureBastionSubnet`, { properties: { addressPrefix: '10.30.2.0/26' } }),
  put(VERSION, `${HUB}/virtualNetworkPeerings/shop-vnet`, {
    properties: { remoteVirtualNetwork: { id: SHOP_NETWORK }, allowForwardedTraffic: true, allowVirtualNetworkAccess: true },
  }),
  staticIp('shop-bastion'),
  put(VERSION, `${NETWORK}/bastionHosts/shop-bastion`, {
    ...common,
    sku: { name: 'Standard' },
    properties: {
      ipConfigurations: [{
        name: 'bastion',
        properties: {
          publicIPAddress: { id: `${NETWORK}/publicIPAddresses/shop-bastion` },
          subnet: { id: `${HUB}/subnets/AzureBastionSubnet` },
        },
      }],
    },
  }),
  put(VERSION, `${NETWORK}/publicIPPrefixes/shop-out`, {
    ...common, sku: { name: 'Standard', tier: 'Regional' }, properties: { prefixLength: 30, publicIPAddressVersion: 'IPv4' },
  }),
  put(VERSION, `${NETWORK}/natGateways/shop-nat`, {
    ...common,
    sku: { name: 'Standard' },
    properties: {
      idleTimeoutInMinutes: 10,
      publicIpPrefixes: [{ id: `${NETWORK}/publicIPPrefixes/shop-out` }],
    },
  }),
  put(VERSION, BALANCER, {
    ...common,
    sku: { name: 'Standard', tier: 'Regional' },
    properties: {
      frontendIPConfigurations: [
        { name: 'inside', properties: { privateIPAllocationMethod: 'Dynamic', subnet: { id: `${HUB}/subnets/services` } } },
      ],
      backendAddressPools: [{ name: 'web' }],
      probes: [{ name: 'https', properties: { protocol: 'Tcp', port: 443, intervalInSeconds: 15, numberOfProbes: 2 } }],
    },
  }),
  put(VERSION, `${BALANCER}/inboundNatRules/ssh`, {
    properties: { protocol: 'Tcp', frontendPort: 2222, backendPort: 22, frontendIPConfiguration: { id: FRONTEND } },
  }),
];

const firewall: readonly Put[] = [
  put(VERSION, `${NETWORK}/firewallPolicies/shop-firewall`, {
    ...common,
    properties: { threatIntelMode: 'Alert', sku: { tier: 'Standard' } },
  }),
  put(VERSION, `${NETWORK}/firewallPolicies/shop-firewall/ruleCollectionGroups/out`, {
    properties: {
      priority: 200,
      ruleCollections: [{
        name: 'web',
        priority: 1000,
        ruleCollectionType: 'FirewallPolicyFilterRuleCollection',
        action: { type: 'Allow' },
        rules: [{
          name: 'updates',
          ruleType: 'ApplicationRule',
          sourceAddresses: ['10.20.0.0/22'],
          targetFqdns: ['*.ubuntu.com'],
          protocols: [{ protocolType: 'Https', port: 443 }],
        }],
      }],
    },
  }),
  staticIp('shop-firewall'),
  put(VERSION, `${NETWORK}/azureFirewalls/shop-firewall`, {
    ...common,
    properties: {
      sku: { name: 'AZFW_VNet', tier: 'Standard' },
      firewallPolicy: { id: `${NETWORK}/firewallPolicies/shop-firewall` },
      ipConfigurations: [{
        name: 'firewall',
        properties: {
          publicIPAddress: { id: `${NETWORK}/publicIPAddresses/shop-firewall` },
          subnet: { id: `${HUB}/subnets/AzureFirewallSubnet` },
        },
      }],
    },
  }),
];

/** The hub network of the shop, its firewall and its names. */
export const NETWORK_AREA: Area = { group: GROUP, resources: () => [...protection, ...hub, ...firewall, ...names] };
