import type { ArmRequest } from '../../engine/arm/types';
import { textBefore } from '../../src/util/text-before';

/** The operations that Azure Resource Manager counts separately. */
export type Operation = 'reads' | 'writes' | 'deletes';

/** POST counts as a write, also for listing keys and for queries of Resource Graph. */
export function operationOf(method: ArmRequest['method']): Operation {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}

/** The scope in which Azure counts a request: a subscription, or the tenant. */
export interface RequestScope {
  readonly level: 'subscription' | 'tenant';
  /** Subscription ID or tenant ID, in lower case. */
  readonly id: string;
}

/** Identifies the requests that Azure Resource Manager counts together. */
export interface RateLimitQueueName {
  /** Resource Manager endpoint of the cloud. */
  readonly endpoint: string;
  readonly scope: RequestScope;
  /** Client id. */
  readonly principal: string;
  readonly operation: Operation;
}

/** Takes the scope from the URL: a credential may be used for resources of other subscriptions than its own. */
export function scopeOf(url: string, tenantId: string): RequestScope {
  const subscription = /^\/subscriptions\/([^/?#]+)/i.exec(pathOf(url))?.[1];
  return subscription ? { level: 'subscription', id: subscription.toLowerCase() } : { level: 'tenant', id: tenantId.toLowerCase() };
}

/**
 * The key of a resource provider's limit, in lower case: the ARM type of a resource, `<type> (list)` for its collection, and
 * `<type>/<action>` for an action on it. Providers count them separately (Azure Storage takes 800 reads in five minutes and 100 lists),
 * so a refused list must not block the reads of single resources.
 * @see https://learn.microsoft.com/azure/storage/common/scalability-targets-resource-provider
 */
export function limitedTypeOf({ method, url }: Pick<ArmRequest, 'method' | 'url'>): string {
  const segments = textBefore(pathOf(url).toLowerCase(), /[?#]/).split('/').filter(Boolean);
  const provider = segments.lastIndexOf('providers');
  const pairs = segments.slice(provider < 0 ? 0 : provider + 2);
  const words = pairs.filter((_, index) => index % 2 === 0);
  const isResource = pairs.length % 2 === 0;
  const type = provider < 0 ? ['microsoft.resources', ...words.slice(-1)] : [segments[provider + 1] ?? 'unknown', ...words];
  return isResource || operationOf(method) !== 'reads' ? type.join('/') : `${type.join('/')} (list)`;
}

function pathOf(url: string): string {
  return url.startsWith('/') ? url : (/^https?:\/\/[^/]*(\/[^]*)$/i.exec(url)?.[1] ?? '');
}

const RESOURCE_GRAPH = /\/providers\/microsoft\.resourcegraph\/resources(\?|$)/i;

/** Queries of Resource Graph have their own quota. */
export function isResourceGraph(url: string): boolean {
  return RESOURCE_GRAPH.test(url);
}
