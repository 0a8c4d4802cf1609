import { readFileSync } from 'node:fs';
import { patternsInSource } from './patterns-in-source';
import { hostileTexts, type Hostile } from '../controller/process/pattern-texts';
import type { Random } from '../simulation/random';

const LENGTHS = [100, 1_000, 5_000, 100_000];
let texts: readonly Hostile[] | undefined;

/** Hostile texts for all regular expressions of the source. `HOSTILE_TEXTS` may name a file with them: reading the source takes seconds. */
export function textsOfSource(): readonly Hostile[] {
  const file = process.env.HOSTILE_TEXTS;
  texts ??= file !== undefined ? (JSON.parse(readFileSync(file, 'utf8')) as Hostile[]) : patternsInSource().flatMap(({ text }) => {
    const end = text.lastIndexOf('/');
    return hostileTexts(text.slice(1, end), text.slice(end + 1));
  });
  return texts;
}

/** A text from which a regular expression of the source, if it is a bad one, finds no quick way out. */
export function hostileText(random: Random): string {
  const { prefix, unit } = random.pick(textsOfSource());
  return `${prefix}${unit.repeat(Math.ceil(random.pick(LENGTHS) / unit.length))}${random.pick(['\u0000', '', '\n', '!'])}`;
}
