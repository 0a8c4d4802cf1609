import { detailHeading, eventsTab, planTab, relationsTab, whyTab, yamlTab, type Choose } from './detail-tabs';
import { button, h, type Child } from './elements';
import { TABS, type Tab } from './view-state';
import type { WireDetail, WireNode, WirePlan } from '../wire';

const TITLES: Readonly<Record<Tab, string>> = { why: 'Why', relations: 'Relations', events: 'Events', yaml: 'YAML', plan: 'Plan' };

export interface PanelActions {
  choose: Choose;
  chooseTab(tab: Tab): void;
  close(): void;
}

/** What is known about the chosen object. */
export class DetailPanel {
  private readonly heading = h('div', {});
  private readonly content = h('div', { role: 'tabpanel', tabindex: 0, id: 'tab-content' });
  private readonly tabs: ReadonlyMap<Tab, HTMLButtonElement>;
  private tab: Tab = 'why';
  private shown = '';

  public constructor(private readonly element: HTMLElement, private readonly node: Pick<WireNode, 'kind' | 'namespace' | 'name' | 'key'>, private readonly actions: PanelActions) {
    this.tabs = new Map(TABS.map((tab) => [tab, button({ 'role': 'tab', 'id': `tab-${tab}`, 'aria-controls': 'tab-content' }, () => actions.chooseTab(tab), TITLES[tab])]));
    const list = h('div', { 'role': 'tablist', 'aria-label': 'About the object' }, ...this.tabs.values());
    list.addEventListener('keydown', (event) => this.keyDown(event));
    element.replaceChildren(
      h('div', { class: 'pane-head' },
        button({ 'class': 'close', 'aria-label': 'Close, and show the causes' }, () => actions.close(), '✕'),
        h('h2', { id: 'pane-title' }, h('span', { class: 'kind' }, node.kind), ' ', node.name),
        h('p', { class: 'dim' }, `Namespace ${node.namespace}`)),
      this.heading,
      list,
      this.content,
    );
    this.say('Reading…');
  }

  public get key(): string {
    return this.node.key;
  }

  public say(text: string): void {
    this.shown = '';
    this.content.replaceChildren(h('p', { class: 'dim' }, text));
  }

  public chooseTab(tab: Tab): void {
    this.tab = tab;
    for (const [one, element] of this.tabs) {
      element.setAttribute('aria-selected', String(one === tab));
      element.tabIndex = one === tab ? 0 : -1;
    }
    this.content.setAttribute('aria-labelledby', `tab-${tab}`);
  }

  /** Shows the chosen tab, unless it shows the same already: a selection in a text would be lost. */
  public show(detail: WireDetail, plan: WirePlan | undefined): void {
    const now = Date.now();
    this.heading.replaceChildren(...children(detailHeading(detail, now)));
    const text = JSON.stringify([this.tab, detail, this.tab === 'plan' && plan]);
    if (text === this.shown) return;
    const isSameTab = this.shown.startsWith(JSON.stringify([this.tab]).slice(0, -1));
    this.shown = text;
    const { scrollTop } = this.element;
    this.content.replaceChildren(...children(this.partsOf(detail, plan, now)));
    this.element.scrollTop = isSameTab ? scrollTop : 0;
  }

  private partsOf(detail: WireDetail, plan: WirePlan | undefined, now: number): Child[] {
    const { choose } = this.actions;
    switch (this.tab) {
      case 'why': return whyTab(detail, choose);
      case 'relations': return relationsTab(detail, choose);
      case 'events': return eventsTab(detail, now);
      case 'yaml': return yamlTab(detail);
      case 'plan': return planTab(plan);
    }
  }

  private keyDown(event: KeyboardEvent): void {
    const index = TABS.indexOf(this.tab);
    const last = TABS.length - 1;
    const places: Readonly<Record<string, number>> = { ArrowRight: index + 1, ArrowLeft: index + last, Home: 0, End: last };
    const place = places[event.key];
    const tab = place === undefined ? undefined : TABS[place % TABS.length];
    if (tab === undefined) return;
    event.preventDefault();
    this.actions.chooseTab(tab);
    this.tabs.get(tab)?.focus();
  }
}

function children(parts: readonly Child[]): (Node | string)[] {
  return parts.filter((part) => part !== undefined && part !== false).map((part) => (typeof part === 'number' ? String(part) : part));
}
