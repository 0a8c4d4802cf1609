import { isSettled, type Cause, type CauseFacts, type Wait } from './types';
import { conditionText, type Related } from './waits';
import { objectKeyOf, objectTitleOf } from '../../src/object-id';
import { firstOf } from '../../src/util/words';

/** Objects of a cycle that its text names. */
const MOST_OF_CYCLE = 5;

const PROGRESS: ReadonlySet<string> = new Set(['JustCreated', 'Resolved', 'Stale']);

interface Chained {
  readonly related: Related;
  readonly waits: readonly Wait[];
}

/** A cause, and the keys of the nodes that it stops. */
export interface Causes {
  /** In the order of urgency. */
  readonly all: readonly Cause[];
  /** Id of the cause by the key of a node that is not settled. */
  readonly of: ReadonlyMap<string, string>;
}

/**
 * The root cause of each object that is not settled: the end of the chain of what it waits for, first waits only. Linear, since each object
 * has one next one, and a chain is left where an earlier one has been.
 */
export function rootCauses(chained: readonly Chained[]): Causes {
  const byKey = new Map(chained.map((one) => [one.related.key, one]));
  const found = new Map<string, CauseFacts>();
  for (const { related } of chained) if (!isSettled(related.state)) follow(related.key, byKey, found);
  return collected(chained, found);
}

function follow(start: string, byKey: ReadonlyMap<string, Chained>, found: Map<string, CauseFacts>): void {
  const path: string[] = [];
  const places = new Map<string, number>();
  let cause: CauseFacts | undefined;
  for (let key: string | undefined = start; cause === undefined && key !== undefined;) {
    const known = found.get(key);
    const before = places.get(key);
    if (known !== undefined) {
      cause = known;
    } else if (before !== undefined) {
      cause = cycleOf(path.slice(before), byKey);
    } else {
      const node: Chained | undefined = byKey.get(key);
      if (!node) return;
      places.set(key, path.length);
      path.push(key);
      const [wait]: readonly Wait[] = node.waits;
      const next = wait?.cause === undefined ? wait?.node : undefined;
      if (next !== undefined && byKey.has(next)) key = next;
      else cause = wait?.cause ?? conditionOf(node.related);
    }
  }
  if (cause !== undefined) for (const key of path) found.set(key, cause);
}

function cycleOf(keys: readonly string[], byKey: ReadonlyMap<string, Chained>): CauseFacts {
  const members = keys.flatMap((key) => byKey.get(key)?.related.name ?? []);
  // The same cycle has the same first object, wherever a chain enters it.
  const first = members.reduce((a, b) => (objectKeyOf(a) < objectKeyOf(b) ? a : b));
  const start = members.indexOf(first);
  const titles = [...members.slice(start), ...members.slice(0, start), first].map(objectTitleOf);
  const text = titles.length <= MOST_OF_CYCLE + 1 ? titles.join(' → ') : firstOf(titles, MOST_OF_CYCLE);
  return { code: 'Cycle', object: first, text: `objects wait for each other: ${text}` };
}

function conditionOf({ name, ready, state }: Related): CauseFacts {
  if (ready) return { code: 'Condition', object: name, reason: ready.reason, text: conditionText(name, ready.reason, ready.message ?? '') };
  const text = state === 'Deleting' ? `${objectTitleOf(name)} is being deleted` : `${objectTitleOf(name)} has no condition yet`;
  return { code: 'Condition', object: name, reason: state, text };
}

function collected(chained: readonly Chained[], found: ReadonlyMap<string, CauseFacts>): Causes {
  const groups = new Map<string, { facts: CauseFacts; nodes: string[]; own: string | undefined }>();
  const of = new Map<string, string>();
  const byKey = new Map(chained.map(({ related }) => [related.key, related]));
  for (const { related: { key, state } } of chained) {
    const facts = isSettled(state) ? undefined : found.get(key);
    if (!facts) continue;
    const id = idOf(facts);
    of.set(key, id);
    const own = objectKeyOf(facts.object);
    const group = groups.get(id) ?? { facts, nodes: [], own: byKey.has(own) ? own : undefined };
    groups.set(id, group);
    if (key === group.own) group.nodes.unshift(key);
    else group.nodes.push(key);
  }
  const all = [...groups].map(([id, { facts, nodes, own }]): Cause => ({ ...facts, id, node: own, nodes, severity: severityOf(facts, byKey.get(own ?? '')) }));
  const urgency = { Error: 0, Warning: 1, Info: 2 };
  all.sort((a, b) => Math.sign(urgency[a.severity] - 2) - Math.sign(urgency[b.severity] - 2)
    || b.nodes.length - a.nodes.length || urgency[a.severity] - urgency[b.severity] || (a.id < b.id ? -1 : 1));
  return { all, of };
}

function idOf({ code, object, reason = '', details }: CauseFacts): string {
  return [code, objectKeyOf(object), reason, details?.key ?? ''].join(' ').trimEnd();
}

function severityOf({ code }: CauseFacts, own: Related | undefined): Cause['severity'] {
  if (PROGRESS.has(code)) return 'Info';
  if (code !== 'Condition') return 'Warning';
  const severity = own?.ready?.severity;
  return severity === 'Error' || severity === 'Warning' ? severity : 'Info';
}
