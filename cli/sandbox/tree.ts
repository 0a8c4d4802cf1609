import { keyOf, ownerKeyOf, type Entry, type State } from './board';
import { shortened } from '../../src/util/words';
import { namespaceOf } from '../manifests/manifests';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

interface Row {
  readonly indent: string;
  readonly entry: Entry;
}

/** Azure can be long-winded; the messages of objects that are not Ready in the end are printed in full. */
const LONGEST_MESSAGE = 160;

const SIGNS: Readonly<Record<State, string>> = {
  ready: '✓',
  working: '…',
  waiting: '·',
  warning: '!',
  error: '✗',
  refused: '✗',
  gone: '-',
};

/** The owner graph as text, a namespace after the other: state, kind, name, reason and age of every object. */
export function treeText(entries: readonly Entry[], style: Style, now: number): string[] {
  const namespaces = [...new Set(entries.map(({ object }) => namespaceOf(object)))];
  const rows = namespaces.map((namespace) => ({
    namespace,
    rows: rowsOf(entries.filter(({ object }) => namespaceOf(object) === namespace)),
  }));
  const width = Math.max(0, ...rows.flatMap(({ rows: all }) => all.map(({ indent, entry }) => indent.length + title(entry).length + 2)));
  return rows.flatMap(({ namespace, rows: all }) => [
    style.bold(namespace),
    ...all.map(({ indent, entry }) => {
      const padding = ' '.repeat(width - indent.length - title(entry).length);
      return `${style.dim(indent)}${painted(entry.state, `${SIGNS[entry.state]}`, style)} ${title(entry)}${padding}${statusText(entry, style, now)}`;
    }),
  ]);
}

/** One change in one line. */
export function changeText(entry: Entry, style: Style, startedAt: number): string {
  const seconds = `${((entry.changed - startedAt) / 1000).toFixed(1)}s`.padStart(6);
  const { object } = entry;
  const message = entry.message && entry.state !== 'working' ? ` ${shortened(oneLine(entry.message), LONGEST_MESSAGE)}` : '';
  return `${style.dim(seconds)} ${painted(entry.state, SIGNS[entry.state], style)} ${namespaceOf(object)} ${title(entry)} ${stateName(entry)}${message}`;
}

/** `3s`, `2m10s` */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Owners before what they own; an owner that is not in the files makes a root. */
function rowsOf(entries: readonly Entry[]): Row[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const children = new Map<string | undefined, Entry[]>();
  for (const entry of entries) {
    const owner = ownerKeyOf(entry.object);
    const parent = owner !== undefined && byKey.has(owner) && !isOwnAncestor(entry, byKey) ? owner : undefined;
    children.set(parent, [...(children.get(parent) ?? []), entry]);
  }
  const under = (parent: string | undefined, prefix: string): Row[] => {
    const all = children.get(parent) ?? [];
    return all.flatMap((entry, index) => {
      const last = index === all.length - 1;
      return [{ indent: `${prefix}${last ? '└─ ' : '├─ '}`, entry }, ...under(entry.key, `${prefix}${last ? '   ' : '│  '}`)];
    });
  };
  return under(undefined, '');
}

/** Whether owners lead back to the object: a cycle has no root, so every member of it becomes one. */
function isOwnAncestor(entry: Entry, byKey: ReadonlyMap<string, Entry>): boolean {
  const seen = new Set<string>();
  for (let owner = ownerKeyOf(entry.object); owner !== undefined && !seen.has(owner); ) {
    if (owner === keyOf(entry.object)) return true;
    seen.add(owner);
    const next = byKey.get(owner);
    owner = next && ownerKeyOf(next.object);
  }
  return false;
}

function title({ object }: Entry): string {
  return oneLine(`${object.kind} ${object.metadata.name}`);
}

function stateName({ state, reason }: Entry): string {
  return state === 'ready' ? 'Ready' : reason;
}

function statusText(entry: Entry, style: Style, now: number): string {
  const settled = entry.state === 'ready' || entry.state === 'error' || entry.state === 'refused';
  const age = ageText((settled ? entry.changed : now) - entry.since);
  const text = `${painted(entry.state, stateName(entry), style)} ${style.dim(age)}`;
  return entry.message && entry.state !== 'ready' && entry.state !== 'working'
    ? `${text}  ${shortened(oneLine(entry.message), LONGEST_MESSAGE)}`
    : text;
}

function painted(state: State, text: string, style: Style): string {
  if (state === 'ready') return style.good(text);
  if (state === 'error' || state === 'refused') return style.bad(text);
  return state === 'warning' ? style.warn(text) : style.dim(text);
}
