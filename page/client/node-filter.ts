import type { ViewState } from './view-state';
import type { WireNode } from '../wire';

type Matches = (node: WireNode) => boolean;

/** Lower-case texts to search in; a node is never changed, so each is made once. */
const searched = new WeakMap<WireNode, string>();

/** Whether a node is one of those that are wanted. All words of the search have to be somewhere in its texts. */
export function nodeFilter(view: Pick<ViewState, 'search' | 'states' | 'kind' | 'namespace' | 'cause'>): Matches {
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  const states = new Set(view.states);
  const { kind, namespace, cause } = view;
  return (node) => (states.size === 0 || states.has(node.state))
    && (kind === '' || node.kind === kind)
    && (namespace === '' || node.namespace === namespace)
    && (cause === '' || node.cause === cause)
    && words.every((word) => textOf(node).includes(word));
}

function textOf(node: WireNode): string {
  const known = searched.get(node);
  if (known !== undefined) return known;
  const text = `${node.kind}/${node.name} ${node.namespace} ${node.state} ${node.reason} ${node.message} ${node.group}`.toLowerCase();
  searched.set(node, text);
  return text;
}

/** The values of a member with their numbers, in alphabetical order. */
export function valuesOf(nodes: readonly WireNode[], of: (node: WireNode) => string): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(of(node), (counts.get(of(node)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
