import { button, h, type Child } from './elements';
import { graphView } from './graph-view';
import { stateBadge, stateSign } from './state-badge';
import { durationText } from '../../engine/inspect/duration-text';
import { counted, plural } from '../../src/util/words';
import type { WireDetail, WireLink, WirePlan } from '../wire';

export type Choose = (key: string) => void;

/** The cause, what happens next, and what to do; then the conditions and the facts. */
export function whyTab(detail: WireDetail, choose: Choose): Child[] {
  return [...causeParts(detail, choose), ...conditionParts(detail), ...factParts(detail)];
}

export function relationsTab(detail: WireDetail, choose: Choose): Child[] {
  return [
    graphView(detail, choose),
    ...linkParts('Owners', detail.owners, 'None: it is at the top.', choose),
    ...linkParts('Children', detail.children, 'None.', choose, detail.moreChildren),
    ...linkParts('References', detail.references, 'None.', choose),
    ...linkParts('Used by', detail.usedBy, 'Nothing that was read.', choose, detail.moreUsedBy),
  ];
}

export function eventsTab({ events, requests, hasAllRequests, unread }: WireDetail, now: number): Child[] {
  return [
    ...unread.map((line) => h('p', { class: 'warn' }, line)),
    h('h3', {}, 'Events'),
    events.length === 0
      ? h('p', { class: 'dim' }, 'None is kept.')
      : h('ul', { class: 'events' }, ...events.map(({ type, reason, message, count, last, source }) => h(
        'li', {},
        h('p', {}, stateSign(type === 'Warning' ? 'Warning' : 'Ready'), ' ', h('strong', {}, reason), count > 1 ? ` ×${count}` : '', ' ', timeElement(last, now)),
        h('p', {}, message),
        source !== undefined && h('p', { class: 'dim' }, source),
      ))),
    h('h3', {}, hasAllRequests ? 'Requests to Azure' : 'Failed requests to Azure'),
    requests.length === 0 ? h('p', { class: 'dim' }, 'None is known.') : table(
      ['Time', hasAllRequests ? 'Request' : 'Code', 'Status', 'Request id'],
      requests.map(({ at, method, status, code, requestId, count }) => [
        timeElement(at, now),
        method ?? code ?? '',
        `${status ?? (method === undefined ? '' : 'no answer')}${count > 1 ? ` ×${count}` : ''}`,
        requestId === undefined ? '' : h('code', {}, requestId),
      ]),
    ),
    h('p', { class: 'dim' }, hasAllRequests
      ? 'Of this replica, since its start: the last ones of each object.'
      : 'From the events, as long as Kubernetes keeps them: an hour, unless the cluster is set otherwise.'),
  ];
}

export function yamlTab({ yaml }: WireDetail): Child[] {
  return [
    h('p', { class: 'dim' }, 'As the cluster has it, without managedFields. Tokens, and texts that look like secrets, are ***.'),
    yaml === '' ? h('p', {}, 'The object is not there any more.') : codeBlock(yaml, 'YAML of the object'),
  ];
}

export function planTab(plan: WirePlan | undefined): Child[] {
  if (!plan) return [h('p', { class: 'dim' }, 'Reading…')];
  return [
    h('p', { class: 'dim' }, 'The request that the controller sends for this object. Values that only Azure or a Secret has are in angle brackets.'),
    ...plan.problems.map((problem) => h('p', { class: 'warn' }, problem)),
    plan.text !== undefined && codeBlock(plan.text, 'Request to Azure'),
  ];
}

function causeParts({ node, message, cause, chain, next, advice, waits }: WireDetail, choose: Choose): Child[] {
  if (!cause) {
    if (message !== '') return [h('p', {}, 'It is in sync, with the warning above.')];
    return [h('p', {}, node.state === 'Suspended' ? 'Nothing is wrong with it: the policy skip only reads.' : 'Nothing is wrong with it.')];
  }
  const waiting = cause.waiting === 0 ? '' : ` ${counted(cause.waiting, 'other object')} ${plural(cause.waiting, 'waits', 'wait')} for it.`;
  return [
    h('h3', {}, 'Cause'),
    // Its own message is in the heading already.
    h('p', { class: 'cause' }, message !== '' && cause.text.endsWith(message) && chain.length === 0 ? 'Its own condition, above.' : cause.text, waiting === '' ? '' : h('strong', {}, waiting)),
    chain.length > 0 && h('ol', { 'class': 'chain', 'aria-label': 'From this object to the cause' }, ...chain.map((link) => h('li', {}, linkElement(link, choose)))),
    chain.length > 0 && message !== '' && h('p', { class: 'dim' }, `Its own condition: ${message}`),
    ...(advice ? [
      h('h3', {}, 'Advice'),
      h('p', {}, advice.text),
      ...advice.commands.map((command) => h('div', { class: 'command' }, h('code', {}, command), copyButton(command, 'Copy the command'))),
      advice.document !== undefined && h('p', {}, h('a', { href: advice.document.url, rel: 'noreferrer noopener', target: '_blank' }, `Document: ${advice.document.title}`)),
    ] : []),
    ...(next ? [h('h3', {}, 'What happens next'), h('p', {}, next.text, next.before === undefined ? '' : ` (before ${new Date(next.before).toLocaleTimeString()})`)] : []),
    ...(waits.length > 0 ? linkParts('It also waits for', waits, '', choose) : []),
  ];
}

function conditionParts({ conditions }: WireDetail): Child[] {
  return [
    h('h3', {}, 'Conditions'),
    conditions.length === 0 ? h('p', { class: 'dim' }, 'None: no controller has looked at it.') : h('ul', { class: 'conditions' }, ...conditions.map((condition) => h(
      'li', {},
      h('p', {}, h('strong', {}, condition.type), ` ${[condition.status, condition.severity, condition.reason].filter(Boolean).join(' · ')}`),
      condition.message !== '' && h('p', {}, condition.message),
      h('p', { class: 'dim' }, [condition.since, condition.observedGeneration === undefined ? '' : `generation ${condition.observedGeneration}`].filter(Boolean).join(', ')),
    ))),
  ];
}

function factParts({ facts }: WireDetail): Child[] {
  return [h('h3', {}, 'Facts'), h('dl', { class: 'facts' }, ...facts.flatMap(({ label, text }) => [h('dt', {}, label), h('dd', {}, text)]))];
}

function linkParts(title: string, links: readonly WireLink[], none: string, choose: Choose, more = 0): Child[] {
  return [
    h('h3', {}, title),
    links.length === 0
      ? h('p', { class: 'dim' }, none)
      : h('ul', { class: 'links' }, ...links.map((link) => h('li', {}, linkElement(link, choose))), more > 0 && h('li', { class: 'dim' }, `${more} more; search for them`)),
  ];
}

function linkElement({ title, key, state, note }: WireLink, choose: Choose): HTMLElement {
  const name = key === undefined ? h('span', { class: 'outside' }, title) : button({ class: 'link' }, () => choose(key), title);
  return h('span', {}, state !== undefined && stateSign(state), state !== undefined && h('span', { class: 'hidden' }, state), ' ', name, note === undefined ? '' : h('span', { class: 'dim' }, ` ${note}`));
}

function codeBlock(text: string, label: string): HTMLElement {
  return h('div', { class: 'code' }, copyButton(text, `Copy: ${label}`), h('pre', { 'tabindex': 0, 'role': 'region', 'aria-label': label }, h('code', {}, text)));
}

function copyButton(text: string, label: string): HTMLElement {
  const element = button({ 'class': 'copy', 'aria-label': label }, () => {
    navigator.clipboard.writeText(text).then(
      () => tell('Copied'),
      () => tell('Not allowed'),
    );
  }, 'Copy');
  const tell = (word: string) => {
    element.textContent = word;
    setTimeout(() => {
      element.textContent = 'Copy';
    }, 1_500);
  };
  return element;
}

function table(head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return h(
    'div', { 'class': 'scroll', 'tabindex': 0, 'role': 'region', 'aria-label': 'Requests' },
    h('table', {}, h('thead', {}, h('tr', {}, ...head.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell, column) => h('td', { class: column === cells.length - 1 && 'wraps' }, cell)))))),
  );
}

function timeElement(at: number, now: number): HTMLElement {
  return h('time', { class: 'dim', datetime: new Date(at).toISOString(), title: new Date(at).toLocaleString() }, `${durationText(now - at)} ago`);
}

/** The heading of the panel. */
export function detailHeading({ node, message, chain }: WireDetail, now: number): Child[] {
  return [
    h('p', { class: 'state-line' }, stateBadge(node.state, node.reason), node.since === undefined ? '' : h('span', { class: 'dim' }, ` for ${durationText(now - node.since)}`)),
    chain.length === 0 && message !== '' && node.state !== 'Ready' && h('p', { 'class': 'message', 'tabindex': 0, 'role': 'group', 'aria-label': 'Message' }, message),
  ];
}
