import { NODE_STATES, type NodeState } from '../../engine/inspect/types';

export type View = 'tree' | 'list';
export const TABS = ['why', 'relations', 'events', 'yaml', 'plan'] as const;
export type Tab = (typeof TABS)[number];

/** What the user has chosen. It is in the address, so that a link or a reload shows the same. */
export interface ViewState {
  readonly search: string;
  readonly states: readonly NodeState[];
  readonly kind: string;
  readonly namespace: string;
  /** Id of a root cause. */
  readonly cause: string;
  readonly view: View;
  /** Key of a node. */
  readonly node: string;
  readonly tab: Tab;
}

export const NOTHING_CHOSEN: ViewState = { search: '', states: [], kind: '', namespace: '', cause: '', view: 'tree', node: '', tab: 'why' };

/** The state of the fragment of an address; what it does not name is not chosen. */
export function readViewState(fragment: string): ViewState {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = (name: string) => values.get(name) ?? '';
  const states = text('state').split(',');
  return {
    search: text('q'),
    states: NODE_STATES.filter((state) => states.includes(state)),
    kind: text('kind'),
    namespace: text('ns'),
    cause: text('cause'),
    view: text('view') === 'list' ? 'list' : 'tree',
    node: text('node'),
    tab: TABS.find((tab) => tab === text('tab')) ?? 'why',
  };
}

/** The fragment of an address; empty where nothing is chosen. */
export function fragmentOf({ search, states, kind, namespace, cause, view, node, tab }: ViewState): string {
  const values: readonly (readonly [string, string])[] = [
    ['q', search],
    ['state', states.join(',')],
    ['kind', kind],
    ['ns', namespace],
    ['cause', cause],
    ['view', view === 'tree' ? '' : view],
    ['node', node],
    ['tab', node === '' || tab === 'why' ? '' : tab],
  ];
  const chosen = new URLSearchParams(values.filter(([, value]) => value !== '').map(([name, value]): [string, string] => [name, value]));
  return chosen.size === 0 ? '' : `#${chosen.toString()}`;
}

/** Whether something narrows the objects that are shown. */
export function isFiltered({ search, states, kind, namespace, cause }: ViewState): boolean {
  return search !== '' || states.length > 0 || kind !== '' || namespace !== '' || cause !== '';
}
