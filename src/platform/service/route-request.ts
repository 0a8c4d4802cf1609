import type { Lifecycle } from './lifecycle';

/** The server to which a route sends requests. */
export interface RouteOriginRequest {
  /** Host name, e.g. that of the cluster's ingress, or of a static website: `stdocs.z33.web.core.windows.net`. */
  readonly hostName: string;
  /**
   * `Host` header of requests to the origin. Services of Azure need their own name there, an ingress the name that users typed.
   * @default - `hostName` for names of `core.windows.net` and `azurewebsites.net`, else the host name of the request
   */
  readonly hostHeader?: string;
  /**
   * Port for HTTPS.
   * @default 443
   */
  readonly httpsPort?: number;
  /**
   * Path of the health probe, every 100 seconds, e.g. `/healthz`.
   * @default - no probe: with one origin it would change nothing
   */
  readonly probePath?: string;
}

/** Settings of a route of Front Door. */
export interface ServiceRouteOptions extends Lifecycle {
  /**
   * Name of the shared Front Door endpoint.
   * @default - the only one that the team uses
   */
  readonly on?: string;
  /**
   * Host names of the service's domains.
   * @default - none: `defaultDomain` is needed then
   */
  readonly domains?: string[];
  /**
   * Whether the route answers for the host name of the endpoint too (`….azurefd.net`). All teams share that name, so a team needs it in its
   * `hostNames`, and no two routes may have the same path there.
   * @default false
   */
  readonly defaultDomain?: boolean;
  /** The server that answers. */
  readonly origin: RouteOriginRequest;
  /**
   * Paths, e.g. `/api/*`.
   * @default ['/*']
   * @see https://learn.microsoft.com/azure/frontdoor/front-door-route-matching
   */
  readonly patterns?: string[];
  /**
   * Path at the origin that replaces the matched part of the pattern.
   * @default - the path of the request
   */
  readonly originPath?: string;
  /**
   * Whether requests by HTTP are redirected to HTTPS. If not, they are refused.
   * @default true
   */
  readonly httpsRedirect?: boolean;
  /**
   * Whether Front Door caches answers, by the whole query string.
   * @default false
   */
  readonly caching?: boolean;
}

/** A route of a service. */
export interface ServiceRouteRequest extends ServiceRouteOptions {
  /** The team's name for the route. */
  readonly name: string;
}
