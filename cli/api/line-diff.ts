import type { Style } from '../output/terminal';

const CONTEXT = 3;
const MOST_CELLS = 4_000_000;

/** A line of a comparison: in both texts, in the first only, or in the second only. */
interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The differences of two texts, line by line with some lines around; empty where they are the same. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = compared(before.trimEnd().split('\n'), after.trimEnd().split('\n'));
  const isNear = lines.map((_, index) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '));
  return lines.flatMap(({ mark, text }, index) => {
    if (!isNear[index]) return isNear[index - 1] === true ? ['  …'] : [];
    return [`${mark} ${text}`];
  });
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < before.length - first && last < after.length - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const same = (lines: readonly string[]) => lines.map((text): Line => ({ mark: ' ', text }));
  const middle = between(before.slice(first, before.length - last), after.slice(first, after.length - last));
  return [...same(before.slice(0, first)), ...middle, ...same(before.slice(before.length - last))];
}

/** The longest common subsequence; texts that are too long for it are taken as all different. */
function between(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  if (before.length * after.length > MOST_CELLS) {
    return [...before.map((text): Line => ({ mark: '-', text })), ...after.map((text): Line => ({ mark: '+', text }))];
  }
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      lengths[at] = before[i] === after[j] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (j >= after.length || (i < before.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      lines.push({ mark: '-', text: before[i]! });
      i += 1;
    } else {
      lines.push({ mark: '+', text: after[j]! });
      j += 1;
    }
  }
  return lines;
}

/** The lines of a difference for a terminal. */
export function differenceText(difference: readonly string[], style: Style, indent = '  '): string[] {
  return difference.map((line) => `${indent}${line.startsWith('-') ? style.bad(line) : line.startsWith('+') ? style.good(line) : style.dim(line)}`);
}
