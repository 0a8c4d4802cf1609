import { Construct } from 'constructs';
import { ServiceDomain } from './domain';
import { noteProblems } from './request-problems';
import type { ServiceRouteRequest } from './route-request';
import type { Kind } from './service-objects';
import type { ServiceScope } from './service-scope';
import { placeId, sharedServiceFor, type SharedTypeNeeded } from './shared-place';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { AzureReference } from '../../core';
import type { AzureResourceReference, IAzureResourceRef } from '../../core';
import { AfdEndpoint } from '../../services/cdn/afd-endpoint';
import { AfdOrigin } from '../../services/cdn/afd-origin';
import { AfdOriginGroup } from '../../services/cdn/afd-origin-group';
import { Profile } from '../../services/cdn/profile';
import {
  AfdRouteCacheConfigurationQueryStringCachingBehavior, HttpsRedirect, LinkToDefaultDomain, Route, SupportedProtocols,
} from '../../services/cdn/route';
import { EnabledState, ForwardingProtocol, ProbeProtocol, ProbeRequestType } from '../../services/cdn/shared';
import { suggestion } from '../../util/nearest';
import { profileIdOf } from '../model/arm-id-parts';
import { hostNameRule, isAllowedHostName, isHostName } from '../model/host-names';
import type { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { FRONT_DOOR_ENDPOINT } from '../model/shared-service-types';

const ROUTE: Kind = ['cdn.azure.com', 'Route'];
const ORIGIN_GROUP: Kind = ['cdn.azure.com', 'AfdOriginGroup'];
const ORIGIN: Kind = ['cdn.azure.com', 'AfdOrigin'];
const NEEDED: SharedTypeNeeded = { armType: FRONT_DOOR_ENDPOINT, what: 'routes', factory: 'frontDoorEndpoint' };
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/i;
const ORIGIN_NAME = 'origin';
/** Services of Azure that answer only to their own names. */
const OWN_NAME_ONLY = ['.core.windows.net', '.azurewebsites.net'];
const PROBE_INTERVAL_SECONDS = 100;

/**
 * A route of the shared Front Door endpoint, with the origin to which it sends requests.
 * @see https://learn.microsoft.com/azure/frontdoor/front-door-route-matching
 */
export class ServiceRoute extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(
    service: ServiceScope, request: ServiceRouteRequest, field: string, problems: PlatformProblems,
  ): ServiceRoute | undefined {
    const { name } = request;
    problems.require(`${field}.name`, name, 'Give the route a name.');
    if (name && !NAME.test(name)) problems.add(`${field}.name`, `'${name}' is no name of a route. Write letters and digits, with single '-' between them.`);
    const on = sharedServiceFor(service.team, NEEDED, request.on, field, problems);
    const domains = on ? domainsOf(service, on, request, field, problems) : [];
    if (on && request.defaultDomain === true) checkDefaultDomain(service, on, `${field}.defaultDomain`, problems);
    checkOrigin(request, `${field}.origin`, problems);
    checkPatterns(request, field, problems);
    if (on) checkPlaces(service, on, request, field, problems);
    if (name && on && service.node.tryFindChild(placeId('route', on, name))) {
      problems.add(`${field}.name`, `'${name}' is there already. Give each route its own name.`);
    }
    return on && problems.none ? new ServiceRoute(service, on, request, domains, field, problems) : undefined;
  }

  /** The team's name for the route. */
  public readonly routeName: string;
  /** Name in Azure, of the route and of its origin group. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The shared service. */
  public readonly on: SharedService;
  /** The route's object. */
  public readonly resource: Route;
  /** The object of the origin group. */
  public readonly originGroup: AfdOriginGroup;
  /** The object of the origin. */
  public readonly origin: AfdOrigin;
  /** Reference to the route. */
  public readonly azureResourceRef: AzureResourceReference;
  /**
   * Host names with their paths.
   * @internal
   */
  public readonly _places: readonly string[];
  private readonly service: ServiceScope;

  private constructor(
    service: ServiceScope, on: SharedService, request: ServiceRouteRequest, domains: readonly ServiceDomain[],
    field: string, problems: PlatformProblems,
  ) {
    super(service, placeId('route', on, request.name));
    const { team, _objects: objects } = service;
    const redirects = request.httpsRedirect !== false;
    const endpointId = withoutTrailingSlashes(team.environment.armIdOf(on.resource));
    const { objectName, azureName } = team.environment.naming.sharedResource({ team, service: on, kind: ROUTE[1], name: request.name });
    this.on = on;
    this.service = service;
    this.routeName = request.name;
    this._places = placesOf(request);
    this.azureName = azureName;
    this.armId = `${endpointId}/routes/${azureName}`;
    this.azureResourceRef = { armId: this.armId };
    const groupId = `${profileIdOf(endpointId)}/originGroups/${azureName}`;
    this.originGroup = this.makeOriginGroup(request, endpointId, objectName);
    this.origin = this.makeOrigin(request, groupId, objectName);
    const reference = (resource: IAzureResourceRef | undefined, armId: string) => ({
      reference: objects.owner<IAzureResourceRef>(resource, (id) => AzureReference.fromArmId(id), armId),
    });
    this.resource = new Route(this, 'resource', {
      ...objects.inTeam(ROUTE, objectName, request),
      azureName,
      owner: AfdEndpoint.fromArmId(endpointId),
      ...(domains.length > 0 ? { customDomains: domains.map((domain) => reference(domain.resource, domain.armId)) } : {}),
      originGroup: reference(this.originGroup, groupId),
      patternsToMatch: request.patterns ?? ['/*'],
      ...(request.originPath === undefined ? {} : { originPath: request.originPath }),
      supportedProtocols: redirects ? [SupportedProtocols.HTTP, SupportedProtocols.HTTPS] : [SupportedProtocols.HTTPS],
      httpsRedirect: redirects ? HttpsRedirect.ENABLED : HttpsRedirect.DISABLED,
      forwardingProtocol: ForwardingProtocol.HTTPS_ONLY,
      linkToDefaultDomain: request.defaultDomain === true ? LinkToDefaultDomain.ENABLED : LinkToDefaultDomain.DISABLED,
      enabledState: EnabledState.ENABLED,
      ...(request.caching
        ? { cacheConfiguration: { queryStringCachingBehavior: AfdRouteCacheConfigurationQueryStringCachingBehavior.USE_QUERY_STRING } }
        : {}),
    });
    // Azure refuses a route to a group without an origin.
    this.resource.node.addDependency(this.origin);
    for (const resource of [this.resource, this.originGroup, this.origin]) objects.keep(resource, on);
    const name = `${field}.name`;
    noteProblems(this.originGroup, { 'azureName': name, 'metadata.name': name, '*': `${field}.origin` }, problems);
    noteProblems(this.origin, { 'metadata.name': name, '*': `${field}.origin` }, problems);
    noteProblems(this.resource, { 'azureName': name, 'metadata.name': name, 'patternsToMatch': `${field}.patterns`, '*': field }, problems);
  }

  private makeOriginGroup(request: ServiceRouteRequest, endpointId: string, objectName: string): AfdOriginGroup {
    const { probePath } = request.origin;
    return new AfdOriginGroup(this, 'origin-group', {
      ...this.service._objects.inTeam(ORIGIN_GROUP, objectName, request),
      azureName: this.azureName,
      owner: Profile.fromArmId(profileIdOf(endpointId)),
      loadBalancingSettings: { sampleSize: 4, successfulSamplesRequired: 3, additionalLatencyInMilliseconds: 50 },
      ...(probePath === undefined
        ? {}
        : {
          healthProbeSettings: {
            probePath,
            probeProtocol: ProbeProtocol.HTTPS,
            probeRequestType: ProbeRequestType.HEAD,
            probeIntervalInSeconds: PROBE_INTERVAL_SECONDS,
          },
        }),
    });
  }

  private makeOrigin(request: ServiceRouteRequest, groupId: string, objectName: string): AfdOrigin {
    const { _objects: objects } = this.service;
    const { hostName, hostHeader, httpsPort } = request.origin;
    const header = hostHeader ?? (OWN_NAME_ONLY.some((domain) => hostName.endsWith(domain)) ? hostName : undefined);
    return new AfdOrigin(this, 'origin', {
      ...objects.inTeam(ORIGIN, objectName, request),
      azureName: ORIGIN_NAME,
      owner: objects.owner(this.originGroup, (id) => AfdOriginGroup.fromArmId(id) as AfdOriginGroup, groupId),
      hostName,
      ...(header === undefined ? {} : { originHostHeader: header }),
      httpsPort: httpsPort ?? 443,
      enforceCertificateNameCheck: true,
      enabledState: EnabledState.ENABLED,
    });
  }
}

/** The domains of a request. Adds a problem for each that is no domain of the service. */
function domainsOf(
  service: ServiceScope, on: SharedService, { domains = [], defaultDomain }: ServiceRouteRequest, field: string, problems: PlatformProblems,
): ServiceDomain[] {
  const known = service.node.children.filter((child): child is ServiceDomain => child instanceof ServiceDomain && child.on === on);
  const names = known.map(({ hostName }) => hostName);
  if (domains.length === 0 && defaultDomain !== true) {
    problems.add(`${field}.domains`, `required. Give at least one host name of the service's domains${names.length > 0 ? `: ${names.join(', ')}` : ''}.`);
  }
  return domains.flatMap((name, index) => {
    const where = `${field}.domains[${index}]`;
    const found = known.find(({ hostName }) => hostName === name);
    if (found && domains.indexOf(name) === index) return [found];
    problems.add(where, found
      ? `'${name}' is given twice. Leave one out.`
      : `'${name}' is no domain of the service.${suggestion(String(name), names)} It has ${names.join(', ') || 'none'}; add a domain, with owned: false if another service of the team has it.`);
    return [];
  });
}

/** All teams share the host name of the endpoint, so the platform says who may have it. */
function checkDefaultDomain({ team }: ServiceScope, { name, hostName }: SharedService, field: string, problems: PlatformProblems): void {
  if (hostName === undefined) {
    problems.add(field, `the environment does not say the host name of '${name}'. Give hostName to its SharedService.frontDoorEndpoint({ … }), and to the team's hostNames.`);
  } else if (!isAllowedHostName(hostName, team.hostNames)) {
    problems.add(field, `'${hostName}' ${hostNameRule(team.hostNames)} The platform team gives the names: hostNames of team '${team.team.name}' in '${team.environment.name}'.`);
  }
}

/** Azure refuses a second route with the same host name and path. */
function checkPlaces(
  service: ServiceScope, on: SharedService, request: ServiceRouteRequest, field: string, problems: PlatformProblems,
): void {
  const routes = service.node.children.filter((child): child is ServiceRoute => child instanceof ServiceRoute && child.on === on);
  const taken = new Map(routes.flatMap((route) => route._places.map((place) => [place, route.routeName])));
  const again = placesOf(request).find((place) => taken.has(place) && taken.get(place) !== request.name);
  if (again !== undefined) problems.add(`${field}.patterns`, `route '${taken.get(again)!}' has '${again}' already. Give each route its own paths.`);
}

/** The host names with their paths, as Azure compares them. */
function placesOf({ domains = [], defaultDomain, patterns }: ServiceRouteRequest): string[] {
  const hosts = [...domains, ...(defaultDomain === true ? ['the default domain'] : [])];
  return hosts.flatMap((host) => (patterns ?? ['/*']).map((pattern) => `${host}${pattern.toLowerCase()}`));
}

function checkOrigin({ origin }: ServiceRouteRequest, field: string, problems: PlatformProblems): void {
  problems.require(`${field}.hostName`, origin?.hostName, "Give the host name of the cluster's ingress, or of another server.");
  for (const name of ['hostName', 'hostHeader'] as const) {
    const value = origin?.[name];
    if (value && !isHostName(value)) {
      problems.add(`${field}.${name}`, `'${value}' is no host name. Write it in lower case, without scheme, port, path and dot at the end.`);
    }
  }
  if (origin?.probePath !== undefined && !origin.probePath.startsWith('/')) {
    problems.add(`${field}.probePath`, `'${origin.probePath}' is no path. Begin it with '/'.`);
  }
  const { httpsPort } = origin ?? {};
  if (httpsPort !== undefined && !(Number.isInteger(httpsPort) && httpsPort >= 1 && httpsPort <= 65535)) {
    problems.add(`${field}.httpsPort`, `${httpsPort} is no port. Give a whole number from 1 to 65535.`);
  }
}

function checkPatterns({ patterns, originPath }: ServiceRouteRequest, field: string, problems: PlatformProblems): void {
  if (patterns?.length === 0) problems.add(`${field}.patterns`, "required where it is given. Leave it out for '/*'.");
  patterns?.forEach((pattern, index) => {
    // Front Door takes a wildcard only at the end, after a slash.
    if (!/^\/[^*?#\s]*(?:(?<=\/)\*)?$/.test(pattern)) {
      problems.add(`${field}.patterns[${index}]`, `'${pattern}' is no path. Begin it with '/', with '*' only as its last part, e.g. '/api/*'.`);
    }
  });
  if (originPath !== undefined && !/^\/[^?#\s*]*$/.test(originPath)) {
    problems.add(`${field}.originPath`, `'${originPath}' is no path. Begin it with '/', without '*'.`);
  }
}
