import type { ArmRequest } from '../azure/types';

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
  const path = url.startsWith('/') ? url : (/^https?:\/\/[^/]*(\/[^]*)$/i.exec(url)?.[1] ?? '');
  const subscription = /^\/subscriptions\/([^/?#]+)/i.exec(path)?.[1];
  return subscription ? { level: 'subscription', id: subscription.toLowerCase() } : { level: 'tenant', id: tenantId.toLowerCase() };
}

const RESOURCE_GRAPH = /\/providers\/microsoft\.resourcegraph\/resources(\?|$)/i;

/** Queries of Resource Graph have a quota of their own. */
export function isResourceGraph(url: string): boolean {
  return RESOURCE_GRAPH.test(url);
}
