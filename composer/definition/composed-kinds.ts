import type { ComposedKindFacts } from './api-facts';
import { KUBERNETES_KINDS } from './kubernetes-kinds';
import { Catalog } from '../../src/catalog';
import type { ApiDefinition, ComposedKind } from '../../src/platform-api';
import { omitUndefined } from '../../src/util/records';

/** The kinds with plural and scope: from the definition itself, the catalog, Kubernetes' own kinds, or a definition of the same bundle. */
export function composedKinds(kinds: readonly ComposedKind[], neighbours: readonly ApiDefinition[]): ComposedKindFacts[] {
  return kinds.map(({ group, kind, plural, namespaced }) => {
    const known = knownKind(group, kind, neighbours);
    // A plural that the definition gives is one of a foreign kind; nearly all of these are namespaced.
    const scope = namespaced ?? known?.namespaced ?? (plural === undefined ? undefined : true);
    return omitUndefined({ group, kind, plural: plural ?? known?.plural, namespaced: scope });
  });
}

function knownKind(group: string, kind: string, neighbours: readonly ApiDefinition[]): Partial<ComposedKindFacts> | undefined {
  const ofAzure = Catalog.default().kind(group, kind);
  if (ofAzure) return { plural: ofAzure.facts.plural, namespaced: true };
  return KUBERNETES_KINDS.get(`${group}/${kind}`) ?? neighbours.find((other) => other.group === group && other.kind === kind);
}
