import type { ApiFacts } from '../../composer/definition/api-facts';
import { nameOfKind } from '../../engine/kubernetes/cache-state';
import type { Discovery } from '../../engine/kubernetes/types';
import { firstOf, plural } from '../../src/util/words';

const MOST_NAMES = 5;

/** A note about kinds that a definition composes or reads, and the cluster does not serve. Its own kinds come with its CRDs. */
export async function unservedKinds(client: { discovery(): Promise<Discovery> }, facts: readonly ApiFacts[]): Promise<string[]> {
  const { types, unknownGroups } = await client.discovery();
  const served = new Set([...types, ...facts].map(({ group, kind }) => `${group}/${kind}`));
  const needed = new Map(facts.flatMap(({ composes, reads }) => [...composes, ...reads]).map((one) => [nameOfKind(one), one]));
  const missing = [...needed].filter(([, { group, kind }]) => !served.has(`${group}/${kind}`) && !unknownGroups.has(group)).map(([name]) => name);
  if (missing.length === 0) return [];
  return [`the cluster does not serve ${firstOf(missing, MOST_NAMES)}: `
    + `claims wait until the ${plural(missing.length, 'CRD is', 'CRDs are')} installed (KindNotServed)`];
}
