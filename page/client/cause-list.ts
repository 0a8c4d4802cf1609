import { button, h } from './elements';
import { stateSign } from './state-badge';
import { counted, plural } from '../../src/util/words';
import type { WireCause, WireSummary } from '../wire';

export interface CauseActions {
  /** Shows the object of a cause. */
  choose(key: string): void;
  /** Shows only what a cause stops. */
  filter(cause: WireCause): void;
}

const STATES = { Error: 'Error', Warning: 'Warning', Info: 'Reconciling' } as const;

/** Causes of one reason that are shown one by one; of more, the first with a list of the others. */
const MOST_ALIKE = 3;

/** The root causes, the most urgent first. */
export function causeList(element: HTMLElement, { causes, moreCauses, unread }: WireSummary, actions: CauseActions): void {
  const opened = new Set([...element.querySelectorAll<HTMLElement>('details[open]')].map(({ dataset }) => dataset.alike));
  const parts = alike(causes).map(([key, group]) => (group.length <= MOST_ALIKE
    ? group.map((cause) => h('li', {}, ...causeParts(cause, actions)))
    : [h('li', {}, ...causeParts(group[0]!, actions), othersPart(key, group.slice(1), actions, opened.has(key)))]));
  element.replaceChildren(
    h('div', { class: 'pane-head' }, h('h2', { id: 'pane-title' }, causes.length === 0 ? 'Root causes' : `${counted(causes.length + moreCauses, 'root cause')}`)),
    causes.length === 0
      ? h('p', {}, 'Nothing stands in the way of anything.')
      : h('ol', { class: 'causes' }, ...parts.flat()),
    moreCauses > 0 ? h('p', { class: 'dim' }, `${counted(moreCauses, 'further cause')}: narrow them by state, or search.`) : '',
    ...(unread.length === 0 ? [] : [h('h3', {}, 'Not everything could be read'), h('ul', {}, ...unread.map((line) => h('li', {}, line)))]),
  );
}

function causeParts(cause: WireCause, { choose, filter }: CauseActions): Node[] {
  const { severity, title, text, node, count } = cause;
  const others = count - (node === undefined ? 0 : 1);
  return [
    h('p', {}, stateSign(STATES[severity]), h('span', { class: 'hidden' }, severity), ' ', node === undefined ? h('strong', {}, title) : button({ class: 'link strong' }, () => choose(node), title)),
    h('p', { class: 'cause-text' }, text),
    ...(others > 0 ? [button(
      { class: 'small' }, () => filter(cause), `${counted(others, 'object')} ${plural(others, 'waits', 'wait')} for it`, h('span', { class: 'hidden' }, `: show only what ${title} stops`),
    )] : []),
  ];
}

/** The causes by severity and reason, in the order of the first of each. */
export function alike(causes: readonly WireCause[]): (readonly [key: string, causes: readonly WireCause[]])[] {
  const groups = new Map<string, WireCause[]>();
  for (const cause of causes) {
    const key = `${cause.severity} ${/^\w+(?=:|$)/.exec(cause.text)?.[0] ?? cause.id}`;
    const group = groups.get(key);
    if (group) group.push(cause);
    else groups.set(key, [cause]);
  }
  return [...groups];
}

function othersPart(key: string, others: readonly WireCause[], { choose }: CauseActions, isOpen: boolean): HTMLElement {
  const waiting = others.reduce((sum, { count, node }) => sum + count - (node === undefined ? 0 : 1), 0);
  return h(
    'details', { 'data-alike': key, 'open': isOpen },
    h('summary', {}, `${others.length} more with ${key.slice(key.indexOf(' ') + 1)}${waiting === 0 ? '' : `; ${counted(waiting, 'object')} ${plural(waiting, 'waits', 'wait')} for them`}`),
    h('ul', { class: 'links' }, ...others.map(({ title, node, text }) => h('li', {}, node === undefined ? title : button({ class: 'link', title: text }, () => choose(node), title)))),
  );
}
