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

/** The root causes, the most urgent first. */
export function causeList(element: HTMLElement, { causes, moreCauses, unread }: WireSummary, actions: CauseActions): void {
  element.replaceChildren(
    h('div', { class: 'pane-head' }, h('h2', { id: 'pane-title' }, causes.length === 0 ? 'Root causes' : `${counted(causes.length + moreCauses, 'root cause')}`)),
    causes.length === 0
      ? h('p', {}, 'Nothing stands in the way of anything.')
      : h('ol', { class: 'causes' }, ...causes.map((cause) => h('li', {}, ...causeParts(cause, actions)))),
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
