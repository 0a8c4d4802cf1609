import { causeList } from './cause-list';
import { ServerConnection } from './connection';
import { ConnectionStatus } from './connection-status';
import { DetailPanel } from './detail-panel';
import { byId } from './elements';
import { Filters } from './filters';
import { nodeFilter } from './node-filter';
import { NodeStore } from './node-store';
import { followTheme } from './theme';
import { keepToken, takeToken } from './token';
import { listRows, pathTo, treeRows, type Row } from './tree-rows';
import { TreeView } from './tree-view';
import { fragmentOf, isFiltered, NOTHING_CHOSEN, readViewState, type ViewState } from './view-state';
import { counted } from '../../src/util/words';
import type { WireDelta, WireDetail, WirePlan } from '../wire';

/** Milliseconds after a change elsewhere until the chosen object is read again. */
const READ_AGAIN_MS = 2_000;
const GONE = 'There is no such object any more.';

/** The page: what the server tells, what the user has chosen, and what is shown of it. */
class Page {
  private readonly store = new NodeStore();
  private view: ViewState;
  private readonly opened = new Map<string, boolean>();
  private readonly status = new ConnectionStatus();
  private readonly connection: ServerConnection;
  private readonly filters: Filters;
  private readonly tree: TreeView;
  private readonly pane = byId('pane');
  private panel: DetailPanel | undefined;
  /** The causes in the pane; empty: an object is there. */
  private shownCauses = '';
  private reading = new AbortController();
  private nextReading: ReturnType<typeof setTimeout> | undefined;
  private detail: WireDetail | undefined;
  private plan: WirePlan | undefined;

  public constructor() {
    const token = takeToken();
    this.view = readViewState(location.hash);
    this.connection = new ServerConnection({
      snapshot: (snapshot) => {
        this.store.replace(snapshot);
        this.begin();
        this.render();
        this.readDetail();
      },
      delta: (delta) => {
        this.store.apply(delta);
        this.render();
        this.readAgain(delta);
      },
      heard: () => this.status.heard(this.store.summary),
      lost: (why) => this.status.lost(why),
      notAllowed: (why) => this.askForToken(why),
    }, token);
    this.filters = new Filters((change) => this.choose(change, 'replace'));
    this.tree = new TreeView(byId('tree'), {
      choose: (row) => this.choose({ node: row.node?.key ?? '' }, 'push'),
      open: (row, isOpen) => {
        this.opened.set(row.id, isOpen);
        this.renderTree();
        this.tree.reveal(row.id);
      },
    });
    this.listen();
  }

  public start(): void {
    followTheme(byId<HTMLSelectElement>('theme'));
    void this.connection.follow();
  }

  private listen(): void {
    window.addEventListener('popstate', () => {
      this.view = readViewState(location.hash);
      this.render();
      this.showNode();
    });
    window.addEventListener('online', () => this.connection.retry());
    document.addEventListener('keydown', (event) => this.keyDown(event));
    byId('skip').addEventListener('click', (event) => {
      // The fragment is the view's.
      event.preventDefault();
      byId('tree').focus();
    });
    byId<HTMLFormElement>('sign-in').addEventListener('submit', (event) => {
      event.preventDefault();
      const token = byId<HTMLInputElement>('token').value.trim();
      keepToken(token);
      byId('sign-in').hidden = true;
      this.connection.useToken(token);
    });
  }

  private keyDown(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      byId('search').focus();
    } else if (event.key === 'Escape' && this.view.node !== '' && !isTyping) {
      this.choose({ node: '' }, 'push');
      byId('tree').focus();
    }
  }

  private askForToken(why: string): void {
    byId('main').hidden = true;
    byId('sign-in').hidden = false;
    byId('sign-in-why').textContent = `The server says: ${why}`;
    this.status.lost('a token is needed');
    byId('token').focus();
  }

  /** The first data are there. */
  private begin(): void {
    if (!byId('main').hidden) return;
    byId('sign-in').hidden = true;
    byId('main').hidden = false;
    this.showNode();
  }

  private choose(change: Partial<ViewState>, how: 'push' | 'replace'): void {
    const before = this.view;
    this.view = { ...before, ...change };
    const address = `${location.pathname}${fragmentOf(this.view)}`;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    this.render();
    if (this.view.node !== before.node) this.showNode();
    else if (this.view.tab !== before.tab) this.showTab();
  }

  private render(): void {
    const { summary } = this.store;
    if (!summary) return;
    document.title = `${summary.title} – cdk8s-aso`;
    byId('title').textContent = summary.title;
    byId('controllers').textContent = `Controller: ${summary.controllers.join('; ')}`;
    this.filters.show(this.store, this.view);
    this.renderTree();
    document.body.classList.toggle('has-node', this.view.node !== '');
    if (this.view.node === '') this.showCauses();
  }

  private renderTree(): void {
    const { nodes } = this.store;
    const matches = nodeFilter(this.view);
    const filtered = isFiltered(this.view);
    const rows: Row[] = this.view.view === 'list' ? listRows(nodes, matches) : treeRows(nodes, { matches, opened: this.opened, isFiltered: filtered });
    const count = nodes.filter(matches).length;
    byId('objects-title').textContent = filtered ? `${count} of ${counted(nodes.length, 'object')}` : counted(nodes.length, 'object');
    const nothing = byId('nothing');
    nothing.hidden = rows.length > 0;
    nothing.textContent = nodes.length === 0 ? 'There is no Azure object.' : 'No object matches.';
    this.tree.show(rows, this.view.node === '' ? '' : `node:${this.view.node}`);
  }

  private showCauses(): void {
    const { summary } = this.store;
    if (!summary) return;
    this.panel = undefined;
    // What is chosen with the keyboard stays so while nothing changes.
    const { causes, moreCauses, unread } = summary;
    const text = JSON.stringify([causes, moreCauses, unread]);
    if (text === this.shownCauses) return;
    this.shownCauses = text;
    causeList(this.pane, summary, {
      choose: (key) => this.choose({ node: key }, 'push'),
      filter: ({ id }) => this.choose({ ...NOTHING_CHOSEN, view: this.view.view, cause: id }, 'push'),
    });
  }

  /** The chosen node, or the causes. */
  private showNode(): void {
    this.reading.abort();
    this.detail = undefined;
    this.plan = undefined;
    const { node: key } = this.view;
    if (key === '') {
      this.showCauses();
      return;
    }
    const node = this.store.byKey.get(key);
    const [, kind = '', namespace = '', name = ''] = key.split('/');
    this.shownCauses = '';
    this.panel = new DetailPanel(this.pane, node ?? { kind, namespace, name, key }, {
      choose: (next) => this.choose({ node: next }, 'push'),
      chooseTab: (tab) => this.choose({ tab }, 'replace'),
      close: () => {
        this.choose({ node: '' }, 'push');
        byId('tree').focus();
      },
    });
    this.pane.scrollTop = 0;
    // On a narrow screen the panel is all there is.
    if (getComputedStyle(byId('tree').closest('.objects')!).display === 'none') this.pane.focus();
    if (node) {
      for (const id of pathTo(node, this.store.byKey)) this.opened.set(id, true);
      this.renderTree();
      this.tree.reveal(`node:${key}`);
    }
    this.showTab();
  }

  private showTab(): void {
    this.panel?.chooseTab(this.view.tab);
    if (this.detail) this.panel?.show(this.detail, this.plan);
    this.readDetail();
  }

  /** Other objects may change what there is to say about this one, but not so much that each change of any is a reason to ask. */
  private readAgain({ changed, removed }: WireDelta): void {
    const { node: key } = this.view;
    if (removed.includes(key) || changed.some((node) => node.key === key)) {
      this.readDetail();
      return;
    }
    this.nextReading ??= setTimeout(() => {
      this.nextReading = undefined;
      this.readDetail();
    }, READ_AGAIN_MS);
  }

  private readDetail(): void {
    const { panel } = this;
    const { node: key, tab } = this.view;
    if (!panel || key !== panel.key) return;
    this.reading.abort();
    if (!this.store.byKey.has(key)) {
      panel.say(GONE);
      return;
    }
    this.reading = new AbortController();
    const { signal } = this.reading;
    Promise.all([this.connection.detail(key, signal), tab === 'plan' ? this.connection.plan(key, signal) : undefined]).then(([detail, plan]) => {
      if (signal.aborted || this.panel !== panel) return;
      this.detail = detail;
      this.plan = plan;
      if (detail) panel.show(detail, plan);
      else panel.say(GONE);
    }, (error: unknown) => {
      if (!signal.aborted && !this.detail) panel.say(`It could not be read: ${(error as Error).message}`);
    });
  }
}

new Page().start();
