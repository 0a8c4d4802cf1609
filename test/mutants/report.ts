import type { Group } from './mutant';
import { countOf, type Count, type Result } from './search';

const LONGEST_REASON = 160;

/** One line of a result: what was found, and by which seed or test. */
export function resultLine({ group, name, verdict }: Result, width: number): string {
  const reason = oneLine(verdict.found ? verdict.by : verdict.why);
  return `${group.padEnd(width)}  ${verdict.found ? 'found   ' : 'SURVIVED'}  ${name}: ${reason}`;
}

/** The counts of each group, and the line of all. */
export function summary(groups: Readonly<Record<string, Group>>, results: readonly Result[]): string {
  const names = Object.keys(groups);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => {
    const { skipped } = groups[name]!;
    return `${name.padEnd(width)}  ${skipped === undefined ? countText(countOf(ofGroup(results, name))) : `skipped: ${skipped}`}`;
  });
  return [...lines, countText(countOf(results))].join('\n');
}

/** The same for programs. */
export function jsonOf(groups: Readonly<Record<string, Group>>, results: readonly Result[]): string {
  const content = {
    ...countOf(results),
    groups: Object.entries(groups).map(([group, { skipped }]) => ({
      group,
      ...countOf(ofGroup(results, group)),
      ...(skipped === undefined ? {} : { skipped }),
      mutants: ofGroup(results, group).map(({ name, verdict, seconds }) => ({ name, ...verdict, seconds })),
    })),
  };
  return JSON.stringify(content, undefined, 2);
}

export function countText({ found, survived }: Count): string {
  return `${found} found, ${survived} survived`;
}

function ofGroup(results: readonly Result[], name: string): Result[] {
  return results.filter(({ group }) => group === name);
}

function oneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON - 1)}…` : line;
}
