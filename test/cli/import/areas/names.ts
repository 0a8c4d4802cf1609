import { common, everywhere, put, SHOP, type Put } from './put';

const NETWORK = `${SHOP}-network/providers/Microsoft.Network`;
const HUB = `${NETWORK}/virtualNetworks/shop-hub`;
const ZONE = `${NETWORK}/privateDnsZones/privatelink.blob.core.windows.net`;
const PUBLIC_ZONE = `${NETWORK}/dnsZones/shop-prod.example.com`;
const VERSION = '2024-05-01';

/** Names inside and outside, and the endpoints that they lead to. */
export const names: readonly Put[] = [
  put('2024-06-01', ZONE, everywhere),
  put('2024-06-01', `${ZONE}/virtualNetworkLinks/shop-hub`, {
    ...everywhere,
    properties: { registrationEnabled: false, virtualNetwork: { id: HUB } },
  }),
  put('2024-06-01', `${ZONE}/A/legacy`, { properties: { ttl: 3600, aRecords: [{ ipv4Address: '10.30.0.20' }] } }),
  put(VERSION, `${NETWORK}/privateEndpoints/shop-blob`, {
    ...common,
    properties: {
      subnet: { id: `${HUB}/subnets/services` },
      privateLinkServiceConnections: [{
        name: 'blob',
        properties: {
          privateLinkServiceId: `${SHOP}/providers/Microsoft.Storage/storageAccounts/shopdata4711`,
          groupIds: ['blob'],
        },
      }],
    },
  }),
  put(VERSION, `${NETWORK}/privateEndpoints/shop-blob/privateDnsZoneGroups/default`, {
    properties: { privateDnsZoneConfigs: [{ name: 'blob', properties: { privateDnsZoneId: ZONE } }] },
  }),
  put('2018-05-01', PUBLIC_ZONE, everywhere),
  put('2018-05-01', `${PUBLIC_ZONE}/A/www`, { properties: { TTL: 300, ARecords: [{ ipv4Address: '203.0.113.10' }] } }),
  put('2018-05-01', `${PUBLIC_ZONE}/AAAA/www`, { properties: { TTL: 300, AAAARecords: [{ ipv6Address: '2001:db8::10' }] } }),
  put('2018-05-01', `${PUBLIC_ZONE}/CNAME/shop`, { properties: { TTL: 3600, CNAMERecord: { cname: 'www.shop-prod.example.com' } } }),
  put('2018-05-01', `${PUBLIC_ZONE}/MX/@`, { properties: { TTL: 3600, MXRecords: [{ preference: 10, exchange: 'mail.example.com' }] } }),
  put('2018-05-01', `${PUBLIC_ZONE}/TXT/@`, {
    properties: { TTL: 3600, TXTRecords: [{ value: ['v=spf1 include:spf.example.com -all'] }] },
  }),
  put('2018-05-01', `${PUBLIC_ZONE}/CAA/@`, {
    properties: { TTL: 3600, caaRecords: [{ flags: 0, tag: 'issue', value: 'ca.example.net' }] },
  }),
  put('2022-04-01', `${NETWORK}/trafficmanagerprofiles/shop-4711`, {
    ...everywhere,
    properties: {
      trafficRoutingMethod: 'Performance',
      dnsConfig: { relativeName: 'shop-4711', ttl: 60 },
      monitorConfig: { protocol: 'HTTPS', port: 443, path: '/health' },
    },
  }),
  put('2022-04-01', `${NETWORK}/trafficmanagerprofiles/shop-4711/ExternalEndpoints/warehouse`, {
    properties: { target: 'warehouse.example.com', endpointLocation: 'uksouth', endpointStatus: 'Enabled' },
  }),
];
