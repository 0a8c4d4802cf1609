import { NODE_STATES, type InspectionNode } from '../../engine/inspect';
import { labelSelector } from '../../sandbox/kubernetes/selectors';
import { Catalog, type Kind } from '../../src/catalog';
import { suggestion } from '../../src/util/nearest';
import { matchesKind } from '../cluster/kind-words';
import { UsageError } from '../output/usage-error';

export interface StatusFilter {
  readonly kind: readonly string[];
  readonly state: readonly string[];
  readonly selector?: string | undefined;
}

/** @throws UsageError for a kind or state that does not exist, and a selector that is none */
export function statusFilter({ kind, state, selector }: StatusFilter, catalog = Catalog.default()): (node: InspectionNode) => boolean {
  const kinds = kind.length > 0 ? kindsOf(kind, catalog) : undefined;
  const states = state.length > 0 ? statesOf(state) : undefined;
  const labels = selector === undefined ? undefined : selectorOf(selector);
  return (node) => (kinds?.has(`${node.group}/${node.kind}`) ?? true) && (states?.has(node.state) ?? true) && (labels?.(node) ?? true);
}

function kindsOf(words: readonly string[], catalog: Catalog): Set<string> {
  return new Set(words.flatMap((word) => {
    const found = catalog.allKinds.filter((kind: Kind) => matchesKind(kind, word));
    if (found.length > 0) return found.map(({ group, kind }) => `${group}/${kind}`);
    throw new UsageError(`--kind ${word}: there is no such kind.${suggestion(word, catalog.allKinds.map(({ kind }) => kind))}`);
  }));
}

function statesOf(words: readonly string[]): Set<string> {
  return new Set(words.map((word) => {
    const found = NODE_STATES.find((state) => state.toLowerCase() === word.toLowerCase());
    if (found) return found;
    throw new UsageError(`--state ${word}: there is no such state.${suggestion(word, NODE_STATES)} The states are ${NODE_STATES.join(', ')}.`);
  }));
}

function selectorOf(text: string): (node: InspectionNode) => boolean {
  try {
    const matches = labelSelector(text);
    return ({ labels, name, namespace, apiVersion, kind }) =>
      matches({ apiVersion, kind, metadata: { name, namespace, labels: { ...labels } } } as never);
  } catch (error) {
    throw new UsageError(`--selector ${text}: ${(error as Error).message}; write it as for kubectl, for example team=shop,tier!=test`);
  }
}
