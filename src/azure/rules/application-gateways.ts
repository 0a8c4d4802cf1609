import { between, eachText, exclusive, unique } from './finders';
import { keyAt, missingParts } from './own-parts';
import { LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt, type ValueAt } from './values';
import { isRecord, type Struct } from '../../util/records';

const GATEWAY = 'network.azure.com/ApplicationGateway';
const COMPONENTS = `${LEARN}/application-gateway/application-gateway-components`;
const SKUS = [`${LEARN}/application-gateway/overview-v2`, 'ApplicationGatewaySkuNameInvalidForSkuTier'] as const;
const SCALE = [`${LEARN}/application-gateway/application-gateway-autoscaling-zone-redundant`, 'InvalidRequestFormat'] as const;
const LISTENERS = [`${LEARN}/application-gateway/configuration-listeners`, 'ApplicationGatewayHttpsListenerMustReferenceSslCert'] as const;
const SAME_LISTENER = [`${LEARN}/application-gateway/multiple-site-overview`, 'ApplicationGatewayHttpListenersUsingSameFrontendPort'] as const;
const RULES = `${LEARN}/application-gateway/configuration-request-routing-rules`;
const PATHS = [`${LEARN}/application-gateway/url-route-overview`, 'InvalidRequestFormat'] as const;
const PROBES = [`${LEARN}/application-gateway/application-gateway-probe-overview`, 'InvalidRequestFormat'] as const;
const SETTINGS = [`${LEARN}/application-gateway/configuration-http-settings`, 'InvalidRequestFormat'] as const;
const FIREWALL = [`${LEARN}/web-application-firewall/ag/ag-overview`, 'ApplicationGatewayFirewallCannotBeEnabledForSelectedSku'] as const;

/** Tier by the name of a SKU. */
const TIERS: Readonly<Record<string, string>> = {
  standard_small: 'Standard',
  standard_medium: 'Standard',
  standard_large: 'Standard',
  waf_medium: 'WAF',
  waf_large: 'WAF',
  standard_v2: 'Standard_v2',
  waf_v2: 'WAF_v2',
  basic: 'Basic',
};
const MOST_INSTANCES = 125;
const LISTS = [
  'gatewayIPConfigurations', 'frontendIPConfigurations', 'frontendPorts', 'backendAddressPools', 'backendHttpSettingsCollection',
  'httpListeners', 'requestRoutingRules', 'probes', 'urlPathMaps', 'redirectConfigurations', 'rewriteRuleSets', 'sslCertificates',
];
const REFERENCES = [
  ...['frontendIPConfiguration', 'frontendPort', 'sslCertificate', 'sslProfile'].map((part) => `httpListeners[].${part}.reference`),
  ...['backendAddressPool', 'backendHttpSettings', 'httpListener', 'redirectConfiguration', 'rewriteRuleSet', 'urlPathMap', 'loadDistributionPolicy']
    .map((part) => `requestRoutingRules[].${part}.reference`),
  ...['defaultBackendAddressPool', 'defaultBackendHttpSettings', 'defaultRedirectConfiguration', 'defaultRewriteRuleSet']
    .map((part) => `urlPathMaps[].${part}.reference`),
  ...['backendAddressPool', 'backendHttpSettings', 'redirectConfiguration', 'rewriteRuleSet'].map((part) => `urlPathMaps[].pathRules[].${part}.reference`),
  'backendHttpSettingsCollection[].probe.reference', 'backendHttpSettingsCollection[].trustedRootCertificates[].reference',
  'redirectConfigurations[].targetListener.reference',
];

const structs = (subject: AzureSubject, path: string) =>
  valuesAt(subject.spec, path).filter((at): at is ValueAt & { value: Struct } => isRecord(at.value));
const tierOf = ({ spec }: AzureSubject) => wordAt(spec, 'sku.tier') ?? TIERS[wordAt(spec, 'sku.name') ?? '']?.toLowerCase();
const isV2 = (subject: AzureSubject) => ['standard_v2', 'waf_v2', 'basic'].includes(tierOf(subject) ?? '');

function capacity(subject: AzureSubject): Violation[] {
  const [least, most] = ['minCapacity', 'maxCapacity'].map((key) => valueAtPath(subject.spec, `autoscaleConfiguration.${key}`));
  return [
    ...between('autoscaleConfiguration.minCapacity', 0, MOST_INSTANCES, 'instances')(subject),
    ...between('autoscaleConfiguration.maxCapacity', 2, MOST_INSTANCES, 'instances')(subject),
    ...between('sku.capacity', 1, MOST_INSTANCES, 'instances')(subject),
    ...(typeof least === 'number' && typeof most === 'number' && least > most
      ? violation('autoscaleConfiguration.minCapacity', `is ${least}, maxCapacity is ${most}`, 'write a minimum that is not above the maximum') : []),
  ];
}

/** Listeners of one address, port and host. */
function sameListeners(subject: AzureSubject): Violation[] {
  const taken = new Map<string, string>();
  return structs(subject, 'httpListeners[]').flatMap(({ field, value }) => {
    const [address, port] = ['frontendIPConfiguration', 'frontendPort'].map((part) => keyAt(value, `${part}.reference`));
    if (address === undefined || port === undefined) return [];
    const names = Array.isArray(value.hostNames) ? value.hostNames : [];
    const hosts = [...names, value.hostName].filter((host): host is string => typeof host === 'string' && host !== '');
    const keys = (hosts.length > 0 ? hosts : ['']).map((host) => `${address} ${port} ${host.toLowerCase()}`);
    const other = keys.map((key) => taken.get(key)).find((found) => found !== undefined);
    for (const key of keys) if (!taken.has(key)) taken.set(key, field);
    return other === undefined ? []
      : [...violation(field, `has the address, the port and the host of ${other}`, 'give it another port, or a host of its own')];
  });
}

function priorities(subject: AzureSubject): Violation[] {
  const missing = isV2(subject) ? structs(subject, 'requestRoutingRules[]').filter(({ value }) => value.priority === undefined) : [];
  return [
    ...missing.flatMap(({ field }) => violation(`${field}.priority`, 'is missing; it is required in v2', 'write a number from 1 to 20000')),
    ...between('requestRoutingRules[].priority', 1, 20_000)(subject),
    ...unique('requestRoutingRules[].priority', 'priority')(subject),
  ];
}

/** A basic rule has a backend or a redirection, one by paths a map of them. */
function routes(subject: AzureSubject): Violation[] {
  return structs(subject, 'requestRoutingRules[]').flatMap(({ field, value }) => {
    if (value.httpListener === undefined) return [...violation(`${field}.httpListener`, 'is missing', 'name the listener')];
    if (wordAt(value, 'ruleType') === 'pathbasedrouting') {
      return value.urlPathMap === undefined ? [...violation(`${field}.urlPathMap`, 'is missing, but ruleType is PathBasedRouting', 'give it')] : [];
    }
    const [hasBackend, hasRedirection] = [value.backendAddressPool !== undefined, value.redirectConfiguration !== undefined];
    if (hasBackend && hasRedirection) return [...violation(`${field}.redirectConfiguration`, 'is given beside backendAddressPool', 'give one of them')];
    const isOther = wordAt(value, 'ruleType') !== 'basic' || value.loadDistributionPolicy !== undefined || hasRedirection;
    if (isOther) return [];
    const absent = ['backendAddressPool', 'backendHttpSettings'].find((key) => value[key] === undefined);
    return absent === undefined ? [] : [...violation(`${field}.${absent}`, 'is missing, and so is redirectConfiguration', 'give it')];
  });
}

const needsStandardAddress: AzureRule['find'] = (subject) => (isV2(subject)
  ? valuesAt(subject.spec, 'frontendIPConfigurations[].publicIPAddress.reference').flatMap(({ field, value }) => {
    const address = subject.referenced(value);
    return address && wordAt(address.spec, 'sku.name') === 'basic'
      ? violation(field, `'${address.name}' is of SKU Basic`, 'use a static address of SKU Standard') : [];
  }) : []);

export const APPLICATION_GATEWAY_RULES: readonly AzureRule[] = [
  rule('application-gateway-sku', GATEWAY, 'Name and tier of a SKU belong together.', SKUS, ({ spec }) => {
    const [own, tier] = [TIERS[wordAt(spec, 'sku.name') ?? ''], wordAt(spec, 'sku.tier')];
    return own !== undefined && tier !== undefined && own.toLowerCase() !== tier
      ? violation('sku.tier', `is ${String(valueAtPath(spec, 'sku.tier'))}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, `write ${own}`) : [];
  }),
  rule('application-gateway-capacity', GATEWAY, 'A gateway has 125 instances at most, and a minimum that is not above the maximum of 2 at least.', SCALE, capacity),
  rule('application-gateway-names', GATEWAY, 'Each part of a gateway has its own name.', [COMPONENTS, 'InvalidRequestFormat'],
    ...LISTS.map((list) => unique(`${list}[].name`, 'name'))),
  rule('application-gateway-part', GATEWAY, 'A listener, a rule or a map of paths names parts that the gateway has.', [COMPONENTS, 'InvalidResourceReference'], (subject) =>
    missingParts(subject, 'applicationGateways', REFERENCES)),
  rule('application-gateway-certificate', GATEWAY, 'A listener of HTTPS has a certificate.', LISTENERS, (subject) =>
    structs(subject, 'httpListeners[]').flatMap(({ field, value }) => (wordAt(value, 'protocol') === 'https' && value.sslCertificate === undefined
      ? violation(`${field}.sslCertificate`, 'is missing, but protocol is Https', 'name a certificate') : []))),
  rule('application-gateway-listener', GATEWAY, 'Listeners of one address and port have different hosts.', SAME_LISTENER, sameListeners),
  rule('application-gateway-priority', GATEWAY, 'A rule has a priority of 1 to 20000 of its own (v2).', [RULES, 'ApplicationGatewayRequestRoutingRulePriorityCannotBeEmpty'], priorities),
  rule('application-gateway-route', GATEWAY, 'A rule has a listener, and a backend with settings, a redirection or a map of paths.', [RULES, 'InvalidRequestFormat'], routes),
  rule('application-gateway-redirection', GATEWAY, 'A redirection goes to a listener or to a URL.', [`${LEARN}/application-gateway/redirect-overview`, 'InvalidRequestFormat'], (subject) =>
    structs(subject, 'redirectConfigurations[]').flatMap(({ field, value }) =>
      exclusive('targetListener', 'targetUrl')({ ...subject, spec: value }).map((one) => ({ ...one, field: `${field}.${one.field}` })))),
  rule('application-gateway-path', GATEWAY, 'A path begins with a slash, and has an asterisk at the end only.', PATHS, eachText('urlPathMaps[].pathRules[].paths[]', (value) =>
    (/^\/[^*]*\*?$/.test(value) ? undefined : [`'${value}' is no path of a rule`, 'write it like /images/*']))),
  rule('application-gateway-port', GATEWAY, 'A port is 1 to 65535.', SETTINGS, between('frontendPorts[].port', 1, 65_535), between('backendHttpSettingsCollection[].port', 1, 65_535)),
  rule('application-gateway-settings', GATEWAY, 'A request takes 1 to 86400 seconds, draining 1 to 3600.', SETTINGS,
    between('backendHttpSettingsCollection[].requestTimeout', 1, 86_400, 'seconds'),
    between('backendHttpSettingsCollection[].connectionDraining.drainTimeoutInSec', 1, 3600, 'seconds')),
  rule('application-gateway-probe', GATEWAY, 'A probe waits and takes 1 to 86400 seconds; 1 to 20 failures count.', PROBES,
    between('probes[].interval', 1, 86_400, 'seconds'), between('probes[].timeout', 1, 86_400, 'seconds'), between('probes[].unhealthyThreshold', 1, 20),
    eachText('probes[].path', (value) => (value === '' || value.startsWith('/') ? undefined : [`'${value}' is no path`, 'begin with /']))),
  rule('application-gateway-address', GATEWAY, 'A gateway of v2 takes a static address of SKU Standard.', [SKUS[0], 'InvalidRequestFormat'], needsStandardAddress),
  rule('application-gateway-firewall', GATEWAY, 'A firewall needs tier WAF or WAF_v2.', FIREWALL, (subject) => {
    const tier = tierOf(subject);
    if (tier === undefined || tier.startsWith('waf')) return [];
    const path = ['firewallPolicy', 'webApplicationFirewallConfiguration'].find((key) => valueAtPath(subject.spec, key) !== undefined);
    return path === undefined ? [] : violation(path, `does not exist in tier ${String(valueAtPath(subject.spec, 'sku.tier') ?? 'Standard')}`, 'remove it, or use SKU WAF_v2');
  }),
];
