import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Steps from '../../../../engine/export/cel/budget';
import type * as RegularExpression from '../../../../engine/export/cel/regular-expression';
import { counted, workOf } from '../../../setup/work';

const { matches } = counted<typeof RegularExpression>('engine/export/cel/regular-expression', ['re2js']);
const { Budget, MOST_STEPS } = counted<typeof Steps>('engine/export/cel/budget');

interface Corpus {
  readonly texts: readonly string[];
  /** Pattern, and the indexes of the texts that match it, or Go's error (re2-referee.go). */
  readonly patterns: readonly (readonly [string, readonly number[] | string])[];
}

const { texts, patterns } = JSON.parse(readFileSync(join(__dirname, 're2-corpus.json'), 'utf8')) as Corpus;
const ample = () => new Budget(1e9);

/** Newer than the engine here: names of categories in long form and lower case (Go 1.25), and one name for several groups. */
const NEWER = ['\\p{Letter}', '\\pl'];
const isNewer = (pattern: string, error: unknown) => NEWER.includes(pattern) || String(error).includes('duplicate capture group name');

function outcome(pattern: string): readonly number[] | Error {
  try {
    return texts.flatMap((text, index) => (matches(text, pattern, ample()) ? [index] : []));
  } catch (error) {
    return error as Error;
  }
}

test('patterns match the texts that Go\'s regexp matches, and are refused where Go refuses them', () => {
  expect(patterns.length).toBeGreaterThan(500);
  const wrong = patterns.flatMap(([pattern, expected]) => {
    const found = outcome(pattern);
    if (found instanceof Error) return typeof expected === 'string' || isNewer(pattern, found) ? [] : [`${pattern}: ${found.message}`];
    if (typeof expected === 'string') return [`${pattern}: taken, Go says ${expected}`];
    return found.join() === expected.join() ? [] : [`${pattern}: ${found.join()}, Go says ${expected.join()}`];
  });
  expect(wrong).toEqual([]);
});

/** The worst patterns that fit: none may do more work than its steps stand for, whatever comes of it. */
const HOSTILE: readonly (readonly [name: string, pattern: string, text: string])[] = [
  ['alternatives that are equal', '^(a|a)*$', 'a'.repeat(2 ** 20) + 'b'],
  ['repetition in repetition', '^(a+)+$', 'a'.repeat(2 ** 20) + 'b'],
  ['many optional parts', `${'(?:a?)'.repeat(100)}${'a'.repeat(100)}`, 'a'.repeat(99)],
  ['300 nested groups', `${'('.repeat(300)}a${')*'.repeat(300)}`, 'a'.repeat(10_000) + 'b'],
  ['large repetitions', '(?:[ab]*[^c]){1000}(?:[ab]*[^c]){1000}(?:[ab]*[^c]){1000}$', 'ab'.repeat(1000) + 'c'],
  ['one hundred times a class a thousand times', '\\pL{1000}'.repeat(100), 'a'.repeat(1000)],
  ['many classes without regard to case', `(?i)${'[^a-\u{10ffff}]'.repeat(140)}`, 'a'],
  ['one class of many', `(?i)[${'\\pL'.repeat(330)}]`, 'a'],
  ['states by the power of two', '(?:a|b)*a(?:a|b){20}c', 'abbabaab'.repeat(10_000)],
  ['an oversized pattern', 'a'.repeat(2 ** 20), 'a'],
];

test.each(HOSTILE)('%s: no more work than its steps stand for', (_, pattern, text) => {
  const budget = new Budget();
  const work = workOf(() => {
    try {
      matches(text, pattern, budget);
    } catch (error) {
      expect((error as Error).message).toMatch(/^Invalid regular expression|^the expressions of this object cost more than/);
    }
  });
  // The dearest of them: 72 blocks a step.
  expect(work).toBeLessThan(1_000 + 100 * Math.min(budget.spent, MOST_STEPS));
});

test('a pattern is compiled once for all expressions of an object', () => {
  const budget = new Budget(4000);
  for (let round = 0; round < 50; round += 1) expect(matches('ab', '^[^b]b$', budget)).toBe(true);
});
