import { button, byId, h } from './elements';
import { nodeFilter, valuesOf } from './node-filter';
import type { NodeStore } from './node-store';
import { stateSign, toneOf } from './state-badge';
import { isFiltered, NOTHING_CHOSEN, type View, type ViewState } from './view-state';
import { NODE_STATES, type NodeState } from '../../engine/inspect/types';

const VIEWS: readonly (readonly [View, string])[] = [['tree', 'Tree'], ['list', 'List']];

interface StateElements {
  readonly item: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly count: HTMLElement;
}

/** The elements that narrow what is shown. */
export class Filters {
  private readonly search = byId<HTMLInputElement>('search');
  private readonly kind = byId<HTMLSelectElement>('kind');
  private readonly namespace = byId<HTMLSelectElement>('namespace');
  private readonly states = new Map<NodeState, StateElements>();
  private readonly views = new Map<View, HTMLButtonElement>();
  private view: ViewState = NOTHING_CHOSEN;

  public constructor(choose: (change: Partial<ViewState>) => void) {
    this.search.addEventListener('input', () => choose({ search: this.search.value }));
    this.kind.addEventListener('change', () => choose({ kind: this.kind.value }));
    this.namespace.addEventListener('change', () => choose({ namespace: this.namespace.value }));
    const { node, tab, view, ...nothing } = NOTHING_CHOSEN;
    byId('clear').addEventListener('click', () => choose(nothing));
    for (const state of NODE_STATES) this.addState(state, choose);
    for (const [name, title] of VIEWS) {
      const element = button({}, () => choose({ view: name }), title);
      this.views.set(name, element);
      byId('views').append(element);
    }
    const cause = byId('chosen-cause');
    cause.append(h('span', {}), ' ', button({ class: 'small' }, () => choose({ cause: '' }), 'Show all'));
  }

  public show({ nodes, summary }: NodeStore, view: ViewState): void {
    this.view = view;
    if (this.search.value !== view.search && document.activeElement !== this.search) this.search.value = view.search;
    fill(this.kind, 'All kinds', valuesOf(nodes, (node) => node.kind), view.kind);
    fill(this.namespace, 'All namespaces', valuesOf(nodes, (node) => node.namespace), view.namespace);
    const others = nodes.filter(nodeFilter({ ...view, states: [] }));
    for (const [state, { item, button: element, count }] of this.states) {
      const number = others.filter((node) => node.state === state).length;
      count.textContent = String(number);
      const isChosen = view.states.includes(state);
      element.setAttribute('aria-pressed', String(isChosen));
      item.hidden = number === 0 && !isChosen;
    }
    for (const [name, element] of this.views) element.setAttribute('aria-pressed', String(view.view === name));
    byId('clear').hidden = !isFiltered(view);
    this.showCause(summary?.causes.find(({ id }) => id === view.cause)?.title);
  }

  private showCause(title: string | undefined): void {
    const element = byId('chosen-cause');
    element.hidden = this.view.cause === '';
    const [label] = element.children;
    if (label) label.textContent = title === undefined ? 'The cause of this filter is gone.' : `Only what waits for ${title}.`;
  }

  private addState(state: NodeState, choose: (change: Partial<ViewState>) => void): void {
    const count = h('strong', {});
    const element = button({ class: `state ${toneOf(state)}` }, () => {
      const { states } = this.view;
      choose({ states: states.includes(state) ? states.filter((one) => one !== state) : [...states, state] });
    }, stateSign(state), ' ', count, ` ${state}`);
    const item = h('li', {}, element);
    this.states.set(state, { item, button: element, count });
    byId('states').append(item);
  }
}

/** Keeps the options as they are where nothing has changed: an open list would close. */
function fill(select: HTMLSelectElement, all: string, values: readonly (readonly [value: string, count: number])[], chosen: string): void {
  const known = chosen === '' || values.some(([value]) => value === chosen) ? values : [...values, [chosen, 0] as const];
  const text = JSON.stringify(known);
  if (select.dataset.values !== text) {
    select.dataset.values = text;
    select.replaceChildren(h('option', { value: '' }, all), ...known.map(([value, count]) => h('option', { value }, `${value} (${count})`)));
  }
  select.value = chosen;
}
