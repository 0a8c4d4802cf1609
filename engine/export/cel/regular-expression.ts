import { RE2JS } from 're2js';
import type { Budget } from './budget';

/**
 * `matches` takes regular expressions of RE2 (https://github.com/google/re2/wiki/Syntax), as cel-go does: matching is linear in the length
 * of the text for every pattern.
 */

const LONGEST_PATTERN = 1000;
/** Instructions of a compiled pattern: `\pL{1000}` has 1002. */
const LARGEST_PROGRAM = 10_000;
/** Moves per step. A move is one instruction on one character; it takes some 30 ns if no automaton can be kept. */
const MOVES_A_STEP = 25;
/** Steps of a class with characters beyond ASCII, which takes up to 0.4 ms to compile; ignoring case, 3.4 ms. */
const STEPS_A_WIDE_CLASS = 1000;
const STEPS_A_WIDE_CLASS_IGNORING_CASE = 8000;

/** @throws Error for a pattern that RE2 does not accept. @throws BudgetError */
export function matches(text: string, pattern: string, budget: Budget): boolean {
  const program = budget.remembered(`matches ${pattern}`, () => compiled(pattern, budget));
  budget.spend(Math.ceil(program.programSize() * (text.length + 1) / MOVES_A_STEP));
  return program.test(text);
}

function compiled(pattern: string, budget: Budget): RE2JS {
  if (pattern.length > LONGEST_PATTERN) throw invalid(pattern.slice(0, 40) + '…', `it is longer than ${LONGEST_PATTERN} characters`);
  budget.spend(largestProgram(pattern) + stepsOfClasses(pattern));
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern);
  } catch (error) {
    throw invalid(pattern, (error as Error).message.replace(/^error parsing regexp: /, ''));
  }
  if (program.programSize() > LARGEST_PROGRAM) throw invalid(pattern, `its repetitions make more than ${LARGEST_PROGRAM} instructions`);
  return program;
}

/**
 * Maximum size of the compiled program: one instruction per character and repetition. RE2 allows 1000 repetitions, nested ones multiplied.
 */
function largestProgram(pattern: string): number {
  let times = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) times *= Math.max(Number(least), Number(most || 0), 1);
  return pattern.length * Math.min(times, 1000);
}

function stepsOfClasses(pattern: string): number {
  const wide = pattern.match(/\[\^|\\[pPDSW]|[^\0-\x7f]|\\x/g)?.length ?? 0;
  return wide * (/\(\?[a-zA-Z]*i/.test(pattern) ? STEPS_A_WIDE_CLASS_IGNORING_CASE : STEPS_A_WIDE_CLASS);
}

function invalid(pattern: string, why: string): Error {
  return new Error(`Invalid regular expression: ${pattern}: ${why}`);
}
