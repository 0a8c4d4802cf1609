import { WAITS, type Entry } from './board';
import { ageText, entryTitle, treeRows } from './tree';
import { firstOf } from '../../src/util/words';
import type { Style } from '../output/terminal';

/** As many objects as the line of the longest operations names. */
const MOST_NAMED = 2;

/** The live view of a terminal: as much of the tree as fits, and below it the numbers, the longest operations and the reasons to wait. */
export function frame(
  entries: readonly Entry[], style: Style, now: number, { rows, columns }: { readonly rows: number; readonly columns: number },
): string[] {
  const footer = statusLines(entries, style, now);
  const room = Math.max(1, rows - footer.length - 1);
  const all = treeRows(entries, style, now, columns);
  if (all.length <= room) return [...all.map(({ text }) => text), ...footer];
  // Where not all fit, those that are Ready need no line.
  const open = all.filter(({ entry }) => entry !== undefined && entry.state !== 'ready');
  const shown = open.slice(0, room - 1);
  const objects = all.filter(({ entry }) => entry !== undefined).length;
  return [...shown.map(({ text }) => text), style.dim(`… ${objects - shown.length} more objects`), ...footer];
}

/** `3 of 8 Ready, 2 in progress, 3 waiting; 12s`, and what they wait for. */
export function statusLines(entries: readonly Entry[], style: Style, now: number): string[] {
  const of = (...states: readonly Entry['state'][]) => entries.filter(({ state }) => states.includes(state));
  const [working, waiting] = [of('working'), of('waiting')];
  const ages = (some: readonly Entry[]) => Math.max(0, ...some.map(({ since }) => now - since));
  const counts = [
    style.bold(`${of('ready').length} of ${entries.length} Ready`),
    ...[['in progress', working], ['waiting', waiting], ['retried', of('warning')], ['failed', of('error', 'refused', 'gone')]].flatMap(
      ([name, some]) => (some!.length > 0 ? [`${some!.length} ${String(name)}`] : []),
    ),
  ];
  const longest = [...working].sort((a, b) => a.since - b.since).map((entry) => `${entryTitle(entry, 24)} ${ageText(now - entry.since)}`);
  const reasons = [...new Set(waiting.map(({ reason }) => reason))].map((reason) => {
    const same = waiting.filter((entry) => entry.reason === reason);
    return `${same.length} for ${WAITS.get(reason) ?? reason} (${ageText(Math.max(...same.map(({ changed }) => now - changed)))})`;
  });
  return [
    `${counts.join(', ')}; ${ageText(ages(entries))}`,
    ...(longest.length > 0 ? [style.dim(`in progress: ${firstOf(longest, MOST_NAMED)}`)] : []),
    ...(reasons.length > 0 ? [style.dim(`waiting: ${reasons.join(', ')}`)] : []),
  ];
}
