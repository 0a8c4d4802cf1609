import { formatProblem, type Problem } from './problem';
import { shortened } from '../../src/util/words';

/** Items of one kind that are printed. */
const FEW = 10;
/** Kinds of which items are printed. */
const MOST_KINDS = 100;
const LONGEST_EXAMPLE = 160;

/** The first few items of each kind, in their order, and what is left out. */
export interface FewOfEach<T> {
  readonly items: readonly T[];
  readonly left: readonly { readonly first: T; readonly count: number }[];
}

/** One mistake may be in each of a hundred thousand objects: the first few of each kind, and the number of the others. */
export function fewOfEach<T>(items: readonly T[], kindOf: (item: T) => string): FewOfEach<T> {
  const kinds = new Map<string, { readonly first: T; count: number }>();
  const others = 'other kinds';
  const shown = items.filter((item) => {
    const own = kindOf(item);
    const kind = kinds.has(own) || kinds.size < MOST_KINDS ? own : others;
    const known = kinds.get(kind) ?? { first: item, count: 0 };
    kinds.set(kind, known);
    known.count += 1;
    return known.count <= FEW;
  });
  const left = [...kinds.values()].filter(({ count }) => count > FEW).map(({ first, count }) => ({ first, count: count - FEW }));
  return { items: shown, left };
}

/**
 * Lines of problems: a few of each kind, and a line with the number of the others.
 * @param whole whether all are printed, as where a program reads them
 */
export function problemLines(problems: readonly Problem[], whole = false): string[] {
  return linesOf(problems, formatProblem, ({ field = '', message, fix }) => withoutValues([field, message, fix].join(' ')), whole);
}

/** The same for lines that are texts already. */
export function fewLines(lines: readonly string[], whole = false): string[] {
  return linesOf(lines, (line) => line, withoutValues, whole);
}

function linesOf<T>(items: readonly T[], lineOf: (item: T) => string, kindOf: (item: T) => string, whole: boolean): string[] {
  if (whole) return items.map(lineOf);
  const { items: shown, left } = fewOfEach(items, kindOf);
  return [...shown.map(lineOf), ...left.map(({ first, count }) => `and ${count} more like this: ${shortened(lineOf(first), LONGEST_EXAMPLE)}`)];
}

/** A text without what differs from one object to the next: texts in quotes, paths, and what has digits. */
export function withoutValues(text: string): string {
  return text.replace(/'[^']*'|"[^"]*"/g, '').split(/\s+/).filter((word) => !/[/\d]/.test(word)).join(' ');
}
