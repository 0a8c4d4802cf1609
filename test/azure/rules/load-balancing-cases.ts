import { of, type Case, type Parent } from './case';

const ADDRESS: Parent = { kind: 'network.azure.com/PublicIPAddress', name: 'ip', spec: { sku: { name: 'Basic' } } };
const balancer = (part: string) => ({ reference: { armId: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/one/${part}` } });
const gateway = (part: string) => ({ reference: { armId: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/applicationGateways/one/${part}` } });
const FRONTEND = { name: 'fe', subnet: { reference: {} } };
const rules = (...loadBalancingRules: object[]) => ({ frontendIPConfigurations: [FRONTEND], loadBalancingRules });
const fe = balancer('frontendIPConfigurations/fe');
const profile = (trafficRoutingMethod: string): Partial<Case> => ({ owner: { kind: 'network.azure.com/TrafficManagerProfile', spec: { trafficRoutingMethod } } });
const route = (rule: object) => ({ httpListeners: [{ name: 'l' }], requestRoutingRules: [{ name: 'r', ruleType: 'Basic', priority: 1, httpListener: gateway('httpListeners/l'), ...rule }] });
const paths = (...texts: string[]) => ({ urlPathMaps: [{ pathRules: [{ paths: texts }] }] });
const probe = (protocol: string, path: string) => ({ monitorConfig: { protocol, path } });
const V2 = { sku: { name: 'Standard_v2', tier: 'Standard_v2' } };

export const LOAD_BALANCING_CASES: readonly Case[] = [
  ...of('network.azure.com/LoadBalancer', [
    ['load-balancer-names', { probes: [{ name: 'p' }, { name: 'p' }] }, 'probes[1].name', { probes: [{ name: 'p' }, { name: 'q' }] }],
    ['load-balancer-part', rules({ frontendIPConfiguration: balancer('frontendIPConfigurations/fe2') }), 'loadBalancingRules[0].frontendIPConfiguration.reference', rules({ frontendIPConfiguration: fe })],
    ['load-balancer-part', rules({ probe: balancer('probes/p') }), 'loadBalancingRules[0].probe.reference', { ...rules({ probe: balancer('probes/P') }), probes: [{ name: 'p' }] }],
    ['load-balancer-port-taken', rules({ frontendIPConfiguration: fe, protocol: 'Tcp', frontendPort: 80 }, { frontendIPConfiguration: fe, protocol: 'Tcp', frontendPort: 80 }), 'loadBalancingRules[1].frontendPort', rules({ frontendIPConfiguration: fe, protocol: 'Tcp', frontendPort: 80 }, { frontendIPConfiguration: fe, protocol: 'Udp', frontendPort: 80 })],
    ['load-balancer-all-ports', rules({ protocol: 'All', frontendPort: 443, backendPort: 0 }), 'loadBalancingRules[0].frontendPort', rules({ protocol: 'All', frontendPort: 0, backendPort: 0 })],
    ['load-balancer-all-ports', rules({ protocol: 'Tcp', frontendPort: 443, backendPort: 0 }), 'loadBalancingRules[0].backendPort', rules({ protocol: 'Tcp', frontendPort: 443, backendPort: 443 })],
    ['load-balancer-frontend', { frontendIPConfigurations: [{ name: 'fe' }] }, 'frontendIPConfigurations[0]', { frontendIPConfigurations: [FRONTEND] }],
    ['load-balancer-frontend', { frontendIPConfigurations: [{ ...FRONTEND, publicIPAddress: {} }] }, 'frontendIPConfigurations[0].publicIPAddress', { frontendIPConfigurations: [{ name: 'fe', publicIPAddress: {} }] }],
    ['load-balancer-frontend', { frontendIPConfigurations: [{ ...FRONTEND, privateIPAllocationMethod: 'Static' }] }, 'frontendIPConfigurations[0].privateIPAddress', { frontendIPConfigurations: [{ ...FRONTEND, privateIPAllocationMethod: 'Static', privateIPAddress: '10.0.0.5' }] }],
    ['load-balancer-sku', { sku: { name: 'Standard' }, frontendIPConfigurations: [{ publicIPAddress: { reference: {} } }] }, 'frontendIPConfigurations[0].publicIPAddress.reference', { sku: { name: 'Basic' }, frontendIPConfigurations: [{ publicIPAddress: { reference: {} } }] }, { refersTo: ADDRESS }],
    ['load-balancer-probe', { probes: [{ protocol: 'Http' }] }, 'probes[0].requestPath', { probes: [{ protocol: 'Http', requestPath: '/' }] }],
    ['load-balancer-probe', { probes: [{ protocol: 'Tcp', requestPath: '/' }] }, 'probes[0].requestPath', { probes: [{ protocol: 'Tcp' }] }],
    ['load-balancer-probe-interval', { probes: [{ intervalInSeconds: 4 }] }, 'probes[0].intervalInSeconds', { probes: [{ intervalInSeconds: 5, numberOfProbes: 1, probeThreshold: 100 }] }],
    ['load-balancer-range', { inboundNatPools: [{ frontendPortRangeStart: 200, frontendPortRangeEnd: 100 }] }, 'inboundNatPools[0].frontendPortRangeEnd', { inboundNatPools: [{ frontendPortRangeStart: 100, frontendPortRangeEnd: 200 }] }],
    ['load-balancer-outbound', { outboundRules: [{ allocatedOutboundPorts: 1001 }] }, 'outboundRules[0].allocatedOutboundPorts', { outboundRules: [{ allocatedOutboundPorts: 1000 }] }],
  ]),
  ...of('network.azure.com/ApplicationGateway', [
    ['application-gateway-sku', { sku: { name: 'WAF_v2', tier: 'Standard_v2' } }, 'sku.tier', { sku: { name: 'Standard_Small', tier: 'Standard' } }],
    ['application-gateway-capacity', { autoscaleConfiguration: { minCapacity: 10, maxCapacity: 5 } }, 'autoscaleConfiguration.minCapacity', { autoscaleConfiguration: { minCapacity: 0, maxCapacity: 2 } }],
    ['application-gateway-capacity', { autoscaleConfiguration: { minCapacity: 0, maxCapacity: 126 } }, 'autoscaleConfiguration.maxCapacity', { sku: { capacity: 125 } }],
    ['application-gateway-names', { frontendPorts: [{ name: 'p' }, { name: 'p' }] }, 'frontendPorts[1].name', { frontendPorts: [{ name: 'p' }] }],
    ['application-gateway-part', { httpListeners: [{ name: 'l', frontendPort: gateway('frontendPorts/https') }], frontendPorts: [{ name: 'http' }] }, 'httpListeners[0].frontendPort.reference', { httpListeners: [{ name: 'l', frontendPort: gateway('frontendPorts/http') }], frontendPorts: [{ name: 'http' }] }],
    ['application-gateway-certificate', { httpListeners: [{ protocol: 'Https' }] }, 'httpListeners[0].sslCertificate', { httpListeners: [{ protocol: 'Http' }] }],
    ['application-gateway-listener', { httpListeners: [{ frontendIPConfiguration: gateway('f/f'), frontendPort: gateway('p/p') }, { frontendIPConfiguration: gateway('f/f'), frontendPort: gateway('p/p') }] }, 'httpListeners[1]', { httpListeners: [{ frontendIPConfiguration: gateway('f/f'), frontendPort: gateway('p/p'), hostName: 'a.example' }, { frontendIPConfiguration: gateway('f/f'), frontendPort: gateway('p/p'), hostNames: ['b.example'] }] }],
    ['application-gateway-priority', { ...V2, requestRoutingRules: [{ name: 'r' }] }, 'requestRoutingRules[0].priority', { ...V2, requestRoutingRules: [{ name: 'r', priority: 1 }] }],
    ['application-gateway-priority', { requestRoutingRules: [{ priority: 1 }, { priority: 1 }] }, 'requestRoutingRules[1].priority', { requestRoutingRules: [{}, {}] }],
    ['application-gateway-route', route({}), 'requestRoutingRules[0].backendAddressPool', route({ redirectConfiguration: gateway('r/r') })],
    ['application-gateway-route', route({ ruleType: 'PathBasedRouting' }), 'requestRoutingRules[0].urlPathMap', route({ ruleType: 'PathBasedRouting', urlPathMap: gateway('u/u') })],
    ['application-gateway-redirection', { redirectConfigurations: [{ targetListener: {}, targetUrl: 'https://a.example' }] }, 'redirectConfigurations[0].targetUrl', { redirectConfigurations: [{ targetUrl: 'https://a.example' }] }],
    ['application-gateway-path', paths('images/*'), 'urlPathMaps[0].pathRules[0].paths[0]', paths('/images/*', '/')],
    ['application-gateway-port', { frontendPorts: [{ port: 0 }] }, 'frontendPorts[0].port', { frontendPorts: [{ port: 443 }] }],
    ['application-gateway-settings', { backendHttpSettingsCollection: [{ requestTimeout: 0 }] }, 'backendHttpSettingsCollection[0].requestTimeout', { backendHttpSettingsCollection: [{ requestTimeout: 86_400 }] }],
    ['application-gateway-probe', { probes: [{ unhealthyThreshold: 21 }] }, 'probes[0].unhealthyThreshold', { probes: [{ unhealthyThreshold: 20, interval: 30, timeout: 30, path: '/' }] }],
    ['application-gateway-address', { ...V2, frontendIPConfigurations: [{ publicIPAddress: { reference: {} } }] }, 'frontendIPConfigurations[0].publicIPAddress.reference', { frontendIPConfigurations: [{ publicIPAddress: { reference: {} } }] }, { refersTo: ADDRESS }],
    ['application-gateway-firewall', { ...V2, firewallPolicy: {} }, 'firewallPolicy', { sku: { name: 'WAF_v2' }, firewallPolicy: {} }],
  ]),
  ...of('network.azure.com/TrafficManagerProfile', [
    ['traffic-manager-ttl', { dnsConfig: { ttl: -1 } }, 'dnsConfig.ttl', { dnsConfig: { ttl: 60 } }],
    ['traffic-manager-interval', { monitorConfig: { intervalInSeconds: 20 } }, 'monitorConfig.intervalInSeconds', { monitorConfig: { intervalInSeconds: 10 } }],
    ['traffic-manager-timeout', { monitorConfig: { intervalInSeconds: 10, timeoutInSeconds: 10 } }, 'monitorConfig.timeoutInSeconds', { monitorConfig: { timeoutInSeconds: 10 } }],
    ['traffic-manager-failures', { monitorConfig: { toleratedNumberOfFailures: 10 } }, 'monitorConfig.toleratedNumberOfFailures', { monitorConfig: { toleratedNumberOfFailures: 9 } }],
    ['traffic-manager-path', probe('TCP', '/'), 'monitorConfig.path', probe('TCP', '')],
    ['traffic-manager-path', probe('HTTPS', 'healthz'), 'monitorConfig.path', probe('HTTPS', '/healthz')],
    ['traffic-manager-port', { monitorConfig: { port: 70_000 } }, 'monitorConfig.port', { monitorConfig: { port: 443 } }],
    ['traffic-manager-status', { monitorConfig: { expectedStatusCodeRanges: [{ min: 20, max: 299 }] } }, 'monitorConfig.expectedStatusCodeRanges[0].min', { monitorConfig: { expectedStatusCodeRanges: [{ min: 200, max: 299 }] } }],
    ['traffic-manager-answers', { trafficRoutingMethod: 'MultiValue' }, 'maxReturn', { trafficRoutingMethod: 'MultiValue', maxReturn: 8 }],
    ['traffic-manager-name', { dnsConfig: { relativeName: 'shop_dev' } }, 'dnsConfig.relativeName', { dnsConfig: { relativeName: 'shop-dev' } }],
  ]),
  ...of('network.azure.com/TrafficManagerProfilesExternalEndpoint', [
    ['traffic-manager-endpoint', { weight: 0 }, 'weight', { weight: 1, priority: 1000 }],
    ['traffic-manager-priority-taken', { priority: 1 }, 'priority', { priority: 2 }, { ...profile('Priority'), beside: [{ kind: 'network.azure.com/TrafficManagerProfilesAzureEndpoint', spec: { priority: 1 } }] }],
    ['traffic-manager-geography', { geoMapping: ['GB', 'IE'] }, 'geoMapping[1]', { geoMapping: ['GB'] }, { ...profile('Geographic'), siblings: [{ geoMapping: ['IE'] }] }],
    ['traffic-manager-target', { target: 'https://a.example' }, 'target', { target: 'a.example' }],
    ['traffic-manager-location', {}, 'endpointLocation', { endpointLocation: 'uksouth' }, profile('Performance')],
  ]),
  ...of('network.azure.com/TrafficManagerProfilesAzureEndpoint', [['traffic-manager-resource', {}, 'targetResourceReference', { targetResourceReference: {} }]]),
  ...of('network.azure.com/TrafficManagerProfilesNestedEndpoint', [['traffic-manager-children', { minChildEndpoints: 0 }, 'minChildEndpoints', { minChildEndpoints: 1 }]]),
];
