import { between, fits, lengthBetween, neededIf, numberOf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const PROFILE = 'network.azure.com/TrafficManagerProfile';
const AZURE = 'network.azure.com/TrafficManagerProfilesAzureEndpoint';
const EXTERNAL = 'network.azure.com/TrafficManagerProfilesExternalEndpoint';
const NESTED = 'network.azure.com/TrafficManagerProfilesNestedEndpoint';
const ENDPOINTS = [AZURE, EXTERNAL, NESTED];
const MONITORING = [`${LEARN}/traffic-manager/traffic-manager-monitoring`, 'BadRequest'] as const;
const ROUTING = [`${LEARN}/traffic-manager/traffic-manager-routing-methods`, 'BadRequest'] as const;
const GEOGRAPHY = [`${LEARN}/traffic-manager/traffic-manager-geographic-regions`, 'BadRequest'] as const;
const TYPES = [`${LEARN}/traffic-manager/traffic-manager-endpoint-types`, 'BadRequest'] as const;

const methodOf = (endpoint: AzureSubject) => endpoint.owner && wordAt(endpoint.owner.spec, 'trafficRoutingMethod');
/** Endpoints of the same profile, of all three types. */
const others = (endpoint: AzureSubject) =>
  ENDPOINTS.flatMap((kind) => (kind === endpoint.kind ? endpoint.siblings : endpoint.beside(kind)));

function timeout(profile: AzureSubject): readonly Violation[] {
  // Without an interval Azure probes every 30 seconds.
  const interval = valueAtPath(profile.spec, 'monitorConfig.intervalInSeconds') ?? 30;
  return between('monitorConfig.timeoutInSeconds', 5, interval === 10 ? 9 : 10, interval === 10 ? 'seconds where the interval is 10' : 'seconds')(profile);
}

function path({ spec }: AzureSubject): readonly Violation[] {
  const [protocol, value] = [wordAt(spec, 'monitorConfig.protocol'), valueAtPath(spec, 'monitorConfig.path') ?? ''];
  if (protocol === 'tcp') return value === '' ? [] : violation('monitorConfig.path', 'is given, but protocol is TCP', 'remove it');
  return typeof value !== 'string' || value === '' || value.startsWith('/') ? [] : violation('monitorConfig.path', `'${value}' is no path`, 'begin with /');
}

function priorityTaken(endpoint: AzureSubject): readonly Violation[] {
  const priority = valueAtPath(endpoint.spec, 'priority');
  const other = priority === undefined ? undefined : others(endpoint).find(({ spec }) => valueAtPath(spec, 'priority') === priority);
  return other ? violation('priority', `${String(priority)} is taken by endpoint '${other.name}' of this profile`, 'give each its own, unique in the profile') : [];
}

function placeTaken(endpoint: AzureSubject): readonly Violation[] {
  if (methodOf(endpoint) !== 'geographic') return [];
  return valuesAt(endpoint.spec, 'geoMapping[]').flatMap(({ field, value }) => {
    const other = others(endpoint).find(({ spec }) => valuesAt(spec, 'geoMapping[]').some(({ value: place }) => place === value));
    return other ? violation(field, `${String(value)} is taken by endpoint '${other.name}' of this profile`, 'give each place to one endpoint') : [];
  });
}

export const TRAFFIC_MANAGER_RULES: readonly AzureRule[] = [
  rule('traffic-manager-ttl', PROFILE, 'A time to live is 0 to 2147483647 seconds.', ROUTING, between('dnsConfig.ttl', 0, 2_147_483_647, 'seconds')),
  rule('traffic-manager-interval', PROFILE, 'Endpoints are probed every 10 or 30 seconds.', MONITORING, numberOf('monitorConfig.intervalInSeconds', [10, 30])),
  rule('traffic-manager-timeout', PROFILE, 'A probe takes 5 to 10 seconds; 9 at most where the interval is 10.', MONITORING, timeout),
  rule('traffic-manager-failures', PROFILE, 'An endpoint may fail 0 to 9 times.', MONITORING, between('monitorConfig.toleratedNumberOfFailures', 0, 9)),
  rule('traffic-manager-path', PROFILE, 'The path of a probe begins with a slash; a probe of TCP has none.', MONITORING, path),
  rule('traffic-manager-port', PROFILE, 'A port is 1 to 65535.', MONITORING, between('monitorConfig.port', 1, 65_535)),
  rule('traffic-manager-status', PROFILE, 'A range of status codes is within 100 to 999, the lower one first.', MONITORING,
    between('monitorConfig.expectedStatusCodeRanges[].min', 100, 999), between('monitorConfig.expectedStatusCodeRanges[].max', 100, 999)),
  rule('traffic-manager-answers', PROFILE, 'A profile of method MultiValue gives 1 to 8 answers.', ROUTING, between('maxReturn', 1, 8),
    neededIf('maxReturn', (spec) => wordAt(spec, 'trafficRoutingMethod') === 'multivalue', 'is missing, but trafficRoutingMethod is MultiValue', 'write 1 to 8')),
  rule('traffic-manager-name', PROFILE, 'The relative name is a label of DNS.', ROUTING, lengthBetween('dnsConfig.relativeName', 1, 63),
    fits('dnsConfig.relativeName', /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'no name of a host', 'write letters, digits and hyphens')),
  rule('traffic-manager-endpoint', ENDPOINTS, 'Priority and weight of an endpoint are 1 to 1000.', ROUTING, between('priority', 1, 1000), between('weight', 1, 1000)),
  rule('traffic-manager-priority-taken', ENDPOINTS, 'Endpoints of a profile have different priorities.', ROUTING, priorityTaken),
  rule('traffic-manager-geography', ENDPOINTS, 'In a profile of method Geographic each place has one endpoint.', GEOGRAPHY, placeTaken),
  rule('traffic-manager-target', EXTERNAL, 'The target of an external endpoint is the name of a host, or an address.', TYPES,
    neededIf('target', () => true, 'is missing', 'give the name of the host'),
    fits('target', /^[^/\s]+$/, 'no name of a host', 'write the name without https:// and path')),
  rule('traffic-manager-resource', [AZURE, NESTED], 'An endpoint in Azure, or a nested profile, is named by reference.', TYPES,
    neededIf('targetResourceReference', () => true, 'is missing', 'name the resource')),
  rule('traffic-manager-location', [EXTERNAL, NESTED], 'A profile of method Performance needs the locations of its external and nested endpoints.', ROUTING, (endpoint) =>
    (methodOf(endpoint) === 'performance' && valueAtPath(endpoint.spec, 'endpointLocation') === undefined
      ? violation('endpointLocation', 'is missing, but the profile routes by performance', 'write the nearest region') : [])),
  rule('traffic-manager-children', NESTED, 'A nested profile needs one healthy child at least.', TYPES,
    between('minChildEndpoints', 1, 2_147_483_647)),
];
