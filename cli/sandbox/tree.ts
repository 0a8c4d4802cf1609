import { ownerKeyOf, WAITS, type Entry, type State } from './board';
import { addressRangesOf, azureMarks } from '../../src/core/graph/azure-marks';
import { groupOf } from '../../src/object-id';
import { struct } from '../../src/util/records';
import { shortened } from '../../src/util/words';
import { appliedKeyOf, namespaceOf } from '../manifests/manifests';
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
  waiting: '○',
  warning: '!',
  error: '✗',
  refused: '✗',
  gone: '-',
};

/** A line without a terminal: logs of CI wrap at about this. */
const LONGEST_LINE = 120;
/** A title that a change of state shows. */
const LONGEST_TITLE = 60;
const SHORTEST_TITLE = 12;

/** A line of the tree; a namespace has no entry. */
export interface TreeRow {
  readonly text: string;
  readonly entry?: Entry;
}

/**
 * The owner graph as text, a namespace after the other: state, kind, name, reason and age of every object.
 * @param columns width of the screen: long names are shortened in their middle, so that the state behind them is on it
 */
export function treeText(entries: readonly Entry[], style: Style, now: number, columns?: number): string[] {
  return treeRows(entries, style, now, columns).map(({ text }) => text);
}

/** The lines of `treeText`, with their objects. */
export function treeRows(entries: readonly Entry[], style: Style, now: number, columns = Infinity): TreeRow[] {
  const namespaces = [...new Set(entries.map(({ object }) => namespaceOf(object)))];
  const rows = namespaces.map((namespace) => ({
    namespace,
    rows: rowsOf(entries.filter(({ object }) => namespaceOf(object) === namespace)),
  }));
  const widest = Math.max(0, ...rows.flatMap(({ rows: all }) => all.map(({ indent, entry }) => indent.length + marked(entry).length + 2)));
  const state = Math.max(0, ...entries.map((entry) => stateName(entry).length + 1 + ageOf(entry, now).length));
  // The sign and its space stand before the width, and the last column of a terminal wraps.
  const width = Math.min(widest, columns - state - 3);
  return rows.flatMap(({ namespace, rows: all }): TreeRow[] => [
    { text: style.bold(shortened(namespace, columns)) },
    ...all.map(({ indent, entry }): TreeRow => {
      const name = withoutMiddle(marked(entry), Math.max(SHORTEST_TITLE, width - indent.length - 2));
      const padding = ' '.repeat(Math.max(1, width - indent.length - name.length));
      const text = `${style.dim(indent)}${painted(entry.state, `${SIGNS[entry.state]}`, style)} ${name}${padding}${statusText(entry, style, now)}`;
      return { text, entry };
    }),
  ]);
}

/** Kind and name of an object, without the middle of what is longer: names differ at their end. */
export function entryTitle(entry: Entry, most: number): string {
  return withoutMiddle(title(entry), most);
}

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}

/** One change in one line. */
export function changeText(entry: Entry, style: Style, startedAt: number): string {
  const seconds = `${((entry.changed - startedAt) / 1000).toFixed(1)}s`.padStart(6);
  const { object } = entry;
  const waits = entry.state === 'waiting' ? WAITS.get(entry.reason) : undefined;
  // A wait for what comes first is the normal order, and no error: the end tells of those that last.
  const what = `${namespaceOf(object)} ${entryTitle(entry, LONGEST_TITLE)} ${waits ? `waits for ${waits}` : stateName(entry)}`;
  const room = Math.max(0, LONGEST_LINE - seconds.length - what.length - 4);
  const told = entry.message && !waits && entry.state !== 'working' && entry.state !== 'ready' && room > SHORTEST_TITLE;
  const message = told ? ` ${shortened(oneLine(entry.message), room)}` : '';
  return `${style.dim(seconds)} ${painted(entry.state, SIGNS[entry.state], style)} ${what}${message}`;
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
    if (owner === appliedKeyOf(entry.object)) return true;
    seen.add(owner);
    const next = byKey.get(owner);
    owner = next && ownerKeyOf(next.object);
  }
  return false;
}

function title({ object }: Entry): string {
  return oneLine(`${object.kind} ${object.metadata.name}`);
}

/** The title, with what the resource is in Azure: its name there and its addresses. */
function marked(entry: Entry): string {
  const { object } = entry;
  const spec = struct(object.spec) ?? {};
  const azureName = typeof spec.azureName === 'string' ? spec.azureName : undefined;
  const marks = azureMarks({ name: object.metadata.name, azureName, addressRanges: addressRangesOf(groupOf(object), spec) });
  return marks.length > 0 ? oneLine(`${title(entry)} (${marks.join(', ')})`) : title(entry);
}

function stateName({ state, reason }: Entry): string {
  return state === 'ready' ? 'Ready' : reason;
}

function statusText(entry: Entry, style: Style, now: number): string {
  const text = `${painted(entry.state, stateName(entry), style)} ${style.dim(ageOf(entry, now))}`;
  return entry.message && entry.state !== 'ready' && entry.state !== 'working'
    ? `${text}  ${shortened(oneLine(entry.message), LONGEST_MESSAGE)}`
    : text;
}

function ageOf({ state, changed, since }: Entry, now: number): string {
  const settled = state === 'ready' || state === 'error' || state === 'refused';
  return ageText((settled ? changed : now) - since);
}

function painted(state: State, text: string, style: Style): string {
  if (state === 'ready') return style.good(text);
  if (state === 'error' || state === 'refused') return style.bad(text);
  if (state === 'waiting') return text;
  return state === 'warning' ? style.warn(text) : style.dim(text);
}
