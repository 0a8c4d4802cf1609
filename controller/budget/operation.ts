import type { ArmRequest } from '../../engine/arm/types';

/** What Azure Resource Manager counts apart. */
export type Operation = 'reads' | 'writes' | 'deletes';

/** POST counts as a write, the listing of keys and queries of Resource Graph too. */
export function operationOf(method: ArmRequest['method']): Operation {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}

/** Where a request is counted: in a subscription, or above all of them. */
export interface RequestScope {
  readonly level: 'subscription' | 'tenant';
  /** Subscription or tenant, in lower case. */
  readonly id: string;
}

/** The scope of a request goes by its URL: a credential may be used for resources of other subscriptions than its own. */
export function scopeOf(url: string, tenantId: string): RequestScope {
  const subscription = /^\/subscriptions\/([^/?#]+)/i.exec(pathOf(url))?.[1];
  return subscription ? { level: 'subscription', id: subscription.toLowerCase() } : { level: 'tenant', id: tenantId.toLowerCase() };
}

/**
 * What a limit of a resource provider is about, in lower case: the ARM type of a resource; `<type> (list)` for its collection, and
 * `<type>/<action>` for an action on it. Providers count them apart (Azure Storage takes 800 reads in five minutes and 100 lists), so a list that
 * is refused must not stop the reads of single resources.
 * @see https://learn.microsoft.com/azure/storage/common/scalability-targets-resource-provider
 */
export function limitedTypeOf({ method, url }: Pick<ArmRequest, 'method' | 'url'>): string {
  const segments = pathOf(url).toLowerCase().split(/[?#]/, 1)[0].split('/').filter(Boolean);
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

/** Queries of Resource Graph have a quota of their own. */
export function isResourceGraph(url: string): boolean {
  return RESOURCE_GRAPH.test(url);
}
