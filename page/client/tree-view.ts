import { h } from './elements';
import { stateSign, toneOf } from './state-badge';
import type { Row } from './tree-rows';
import { durationText } from '../../engine/inspect/duration-text';

/** Pixels; the style sheet has the same. */
const ROW_HEIGHT = 30;
/** Rows beyond the visible ones, so that a scroll shows no gap. */
const OVERSCAN = 12;

export interface TreeActions {
  /** The user has chosen a row. */
  choose(row: Row): void;
  /** The user has opened or closed a row. */
  open(row: Row, isOpen: boolean): void;
}

/**
 * A tree of any length: only the rows in view are in the document. The keys are those of the ARIA pattern
 * (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/): the element has the focus, and `aria-activedescendant` names the row.
 */
export class TreeView {
  private rows: readonly Row[] = [];
  private indexOf = new Map<string, number>();
  private readonly canvas = h('div', { class: 'canvas', role: 'presentation' });
  private active = '';
  private selected = '';
  private readonly elements = new Map<string, { readonly row: Row; readonly element: HTMLElement }>();
  private typed = '';
  private typedAt = 0;

  public constructor(private readonly element: HTMLElement, private readonly actions: TreeActions) {
    element.append(this.canvas);
    element.addEventListener('scroll', () => this.draw(), { passive: true });
    element.addEventListener('keydown', (event) => this.keyDown(event));
    element.addEventListener('click', (event) => this.click(event));
    element.addEventListener('focus', () => this.activate(this.rows.some(({ id }) => id === this.active) ? this.active : this.rows[0]?.id ?? ''));
    new ResizeObserver(() => this.draw()).observe(element);
    // Ages go on by themselves.
    setInterval(() => this.redraw(), 30_000);
  }

  public show(rows: readonly Row[], selected: string): void {
    this.rows = rows;
    this.indexOf = new Map(rows.map(({ id }, index) => [id, index]));
    this.selected = selected;
    if (!this.indexOf.has(this.active)) this.active = this.indexOf.has(selected) ? selected : '';
    this.canvas.style.height = `${rows.length * ROW_HEIGHT}px`;
    this.redraw();
  }

  /** Scrolls until a row is in view, and makes it the active one. */
  public reveal(id: string): void {
    if (this.indexOf.has(id)) this.activate(id);
  }

  private redraw(): void {
    for (const { element } of this.elements.values()) element.remove();
    this.elements.clear();
    this.draw();
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + OVERSCAN);
    const wanted = new Set<string>();
    const now = Date.now();
    for (let index = first; index < last; index += 1) {
      const row = this.rows[index];
      if (!row) continue;
      wanted.add(row.id);
      if (!this.elements.has(row.id)) this.place(row, index, now);
    }
    for (const [id, { element }] of this.elements) {
      if (wanted.has(id)) continue;
      element.remove();
      this.elements.delete(id);
    }
    this.mark();
  }

  private place(row: Row, index: number, now: number): void {
    const element = rowElement(row, now);
    element.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
    element.id = `row-${index}`;
    this.elements.set(row.id, { row, element });
    // In the order of the rows, which is the order in which they are read out.
    const next = [...this.elements.values()].find((other) => (this.indexOf.get(other.row.id) ?? 0) > index && other.element.isConnected);
    this.canvas.insertBefore(element, next?.element ?? null);
  }

  private mark(): void {
    for (const [id, { element }] of this.elements) {
      element.classList.toggle('active', id === this.active);
      element.setAttribute('aria-selected', String(id === this.selected));
    }
    const active = this.elements.get(this.active)?.element;
    if (active) this.element.setAttribute('aria-activedescendant', active.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  private activate(id: string): void {
    this.active = id;
    const index = this.indexOf.get(id);
    if (index !== undefined) this.scrollTo(index);
    this.draw();
  }

  private scrollTo(index: number): void {
    const { scrollTop, clientHeight } = this.element;
    const top = index * ROW_HEIGHT;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top + ROW_HEIGHT - clientHeight;
  }

  private click(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const element = event.target.closest('[role=treeitem]');
    const row = [...this.elements.values()].find((one) => one.element === element)?.row;
    if (!row) return;
    this.activate(row.id);
    if (row.isOpen !== undefined && (row.node === undefined || event.target.closest('.toggle'))) this.actions.open(row, !row.isOpen);
    else this.actions.choose(row);
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.indexOf.get(this.active) ?? -1;
    const row = this.rows[index];
    if (!this.move(event.key, index) && !(row && this.act(event.key, row, index)) && !this.typeAhead(event.key, index)) return;
    event.preventDefault();
  }

  private move(key: string, index: number): boolean {
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: this.rows.length - 1,
    };
    const next = steps[key];
    if (next === undefined) return false;
    const target = this.rows[Math.max(0, Math.min(this.rows.length - 1, next))];
    if (target) this.activate(target.id);
    return true;
  }

  private act(key: string, row: Row, index: number): boolean {
    switch (key) {
      case 'Enter':
      case ' ':
        if (row.node) this.actions.choose(row);
        else this.actions.open(row, row.isOpen !== true);
        return true;
      case 'ArrowRight':
        if (row.isOpen === false) this.actions.open(row, true);
        else if (row.isOpen) this.move('ArrowDown', index);
        return true;
      case 'ArrowLeft': {
        if (row.isOpen) {
          this.actions.open(row, false);
          return true;
        }
        const parent = this.rows.slice(0, Math.max(0, index)).reverse().find(({ level }) => level < row.level);
        if (parent) this.activate(parent.id);
        return true;
      }
      default:
        return false;
    }
  }

  /** Letters lead to the next row whose name begins with them. */
  private typeAhead(key: string, index: number): boolean {
    if (key.length !== 1 || key === '/') return false;
    const now = Date.now();
    this.typed = now - this.typedAt < 700 ? this.typed + key.toLowerCase() : key.toLowerCase();
    this.typedAt = now;
    const from = this.typed.length > 1 ? index : index + 1;
    const order = [...this.rows.slice(Math.max(0, from)), ...this.rows.slice(0, Math.max(0, from))];
    const isMeant = (text = '') => text.toLowerCase().startsWith(this.typed);
    const found = order.find(({ title, node }) => isMeant(title) || isMeant(node?.name ?? title));
    if (found) this.activate(found.id);
    return true;
  }
}

function rowElement(row: Row, now: number): HTMLElement {
  const { node, level, title, isOpen, below, unsettledBelow, position, siblings, isMatch } = row;
  const element = h('div', {
    'role': 'treeitem',
    'class': `row${node ? '' : ' namespace'}${isMatch ? '' : ' leads'}`,
    'aria-level': level,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
  });
  element.style.setProperty('--level', String(Math.min(level - 1, 12)));
  element.append(
    h('span', { 'class': 'toggle', 'aria-hidden': 'true' }, isOpen === undefined ? '' : isOpen ? '▾' : '▸'),
    node ? stateSign(node.state) : h('span', { class: 'hidden' }, 'Namespace '),
    node
      ? h('span', { class: 'name' }, h('span', { class: 'kind' }, node.kind), ' ', title.slice(node.kind.length + 1))
      : h('span', { class: 'name' }, title),
    isOpen === false || (node === undefined && below > 0)
      ? h('span', { class: unsettledBelow > 0 ? 'count warn' : 'count' }, unsettledBelow > 0 ? `${unsettledBelow} of ${below} not Ready` : `${below} Ready`)
      : '',
  );
  if (node) {
    const words = node.reason === '' || node.reason === node.state || node.state === 'Ready' ? node.state : `${node.state}: ${node.reason}`;
    element.append(
      // The sign is enough to see that it is Ready.
      h('span', { class: node.state === 'Ready' ? 'hidden' : `words ${toneOf(node.state)}` }, words),
      h('span', { class: 'age' }, node.since === undefined ? '' : durationText(now - node.since)),
    );
  }
  return element;
}
