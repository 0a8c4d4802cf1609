import type { Claim } from '../../../src/platform-api';
import type { ClaimObject } from '../jobs';

/** Prefixes of keys that tools write: they change without the user. */
const OF_TOOLS = /^(kubectl\.kubernetes\.io|applyset\.kubernetes\.io|([^/]*\.)?aso\.cdk8s\.io)\//;

/** The claim as `compose` gets it: frozen, so that nothing that is composed for it can change it. */
export function frozenClaim(
  { metadata }: ClaimObject, spec: unknown, createdAt: number, read: Claim<never>['read'],
): Claim<never> {
  const { name, namespace = '', uid = '', labels, annotations } = metadata;
  const texts = { labels: ofUser(labels), annotations: ofUser(annotations) };
  const claim = { name, namespace, uid, ...texts, createdAt: new Date(createdAt), spec, read };
  return deepFrozen(claim) as Claim<never>;
}

function ofUser(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !OF_TOOLS.test(key)));
}

/** Freezes a value of JSON with all that is in it. */
export function deepFrozen<T extends object>(value: T): T {
  const seen = new Set<object>();
  const open: object[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    // Objects of a schema's own, e.g. a Map, are not JSON: they stay as they are.
    const isPlain = Array.isArray(next) || Object.getPrototypeOf(next) === Object.prototype;
    if (!isPlain || seen.has(next)) continue;
    seen.add(Object.freeze(next));
    for (const one of Object.values(next) as unknown[]) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return value;
}
