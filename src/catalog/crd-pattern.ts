import type { Catalog } from './catalog';
import type { Kind } from './kind';
import { ASO_GROUPS } from '../util/api-groups';

/**
 * The value of `crdPattern` (`--crd-pattern`) with which Azure Service Operator installs exactly the CRDs of these kinds:
 * `resources.azure.com/*;storage.azure.com/StorageAccount`. If all kinds of a group are included, the group has a star, so that kinds which
 * later releases add are installed as well. Without kinds the pattern is empty, and the operator installs nothing.
 *
 * See https://azure.github.io/azure-service-operator/guide/crd-management/
 */
export function crdPattern(kinds: Iterable<Kind>, catalog: Catalog): string {
  const byGroup = new Map<string, Map<string, Kind>>();
  for (const kind of kinds) {
    const known = byGroup.get(kind.group) ?? new Map<string, Kind>();
    byGroup.set(kind.group, known.set(kind.kind, kind));
  }
  const groups = [...byGroup].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.flatMap(([group, wanted]) => {
    const [first] = wanted.values();
    if (first && wanted.size === catalog.kindsOf(first.service).length) return [`${group}/*`];
    return [...wanted.keys()].sort().map((kind) => `${group}/${kind}`);
  }).join(';');
}

/** The same for the chart of Azure Service Operator: without the kinds that only our controller serves. */
export function asoCrdPattern(kinds: readonly Kind[], catalog: Catalog): string {
  return crdPattern(kinds.filter(({ group }) => group.endsWith(ASO_GROUPS)), catalog);
}
