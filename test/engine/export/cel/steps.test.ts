import type * as Steps from '../../../../engine/export/cel/budget';
import type * as Engine from '../../../../engine/export/cel/cel-js-engine';
import { DeadlineError, withDeadline } from '../../../../engine/export/cel/deadline';
import { counted, workOf } from '../../../setup/work';

const { compileUntyped } = counted<typeof Engine>('engine/export/cel/cel-js-engine', ['@marcbachmann/cel-js', 're2js']);
const { Budget } = counted<typeof Steps>('engine/export/cel/budget');

const STEPS = 20_000;
/** The dearest step, of a long id, does 74 blocks; most do 5 to 30. */
const MOST_WORK_A_STEP = 100;

const nested = (levels: number, leaf: unknown, beside: readonly unknown[] = []) =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner, ...beside], leaf);
const list = Array.from({ length: 200 }, (_, index) => `x${index}`);
const object = {
  list,
  map: Object.fromEntries(list.map((text) => [text, text])),
  small: { a: 1 },
  numbers: Array.from({ length: 5_000 }, (_, index) => index),
  deep: nested(1_000, 1),
  levels: nested(90, 1),
  textBelow: nested(90, 'x'.repeat(5_000), ['']),
  text: 'x'.repeat(5_000),
  id: `/subscriptions/S/${'a/'.repeat(10_000)}b`,
  digits: '1'.repeat(5_000),
  seconds: '1ns'.repeat(33),
};

const twice = (body: string) => `self.list.all(a, self.list.all(b, ${body}))`;
const once = (body: string) => `self.list.all(a, ${body})`;
/** The engine quotes the expression in each error. */
const far = ' '.repeat(15_000);

/** Expressions whose steps may be worth little: each is repeated until the steps are used up. */
const DEAR: readonly (readonly [name: string, expression: string])[] = [
  ['nodes', twice('a + b != "q"')],
  ['an error that is swallowed', 'self.list.exists(a, self.list.exists(b, 1 / 0 == 1))'],
  ['an error far inside of the expression', `${far}self.list.exists(a, self.list.exists(b, 1 / 0 == 1))`],
  ['an error beside ||', `${far}${twice('1 / 0 == 1 || true')}`],
  ['an error of a function', `${far}self.list.exists(a, self.list.exists(b, "a".charAt(5) == ""))`],
  ['an error in a comprehension of two variables', `${far}self.list.exists(i, a, self.list.exists(j, b, 1 / 0 == 1))`],
  ['an index out of range in an optional', `${far}${twice('self.list[?500].orValue("x") == "x"')}`],
  ['a member that an optional lacks', twice('self.small.?x.orValue("x") == "x"')],
  ['the type of a deep operand', 'self.list.exists(a, self.list.exists(b, self.deep - b == 1))'],
  ['the type of an operand of ninety levels', 'self.list.exists(a, self.list.exists(b, size(self.levels) < 0))'],
  ['the type of a deep argument', 'self.list.exists(a, self.list.exists(b, size(self.deep) < 0))'],
  ['a text at the end of many levels', once('"%s".format([self.textBelow]) != ""')],
  ['a long id', 'self.list.exists(a, aso.parseResourceId(self.id).name == "x")'],
  ['entries of a map', once('self.map.exists(k, v, true)')],
  ['elements with their indexes', once('self.numbers.exists(i, v, true)')],
  ['keys of a map', once('self.map.exists(k, true)')],
  ['a new map', once('size(self.map.transformMapEntry(k, v, {k: v})) > 0')],
  ['characters', once('self.text.substring(5) != "" && self.text.charAt(5) == "x" && self.text.reverse() != ""')],
  ['a search', once('self.text.indexOf("xy") == -1 && self.text.lastIndexOf("y") == -1 && !self.text.contains(self.text + "y")')],
  ['pieces', once('self.text.split("").size() > 0 && self.text.split("x").size() > 0 && self.text.replace("x", "y") != ""')],
  ['copies', once('self.text.upperAscii() != "" && strings.quote(self.text) != "" && self.list.join(",") != "" && size(self.list + self.list) > 0')],
  ['numbers', 'self.list.exists(a, int(self.digits) > 0 || double(self.digits) < 0.0)'],
  ['comparisons', once('self.map == self.map && self.list == self.list && !("q" in self.list)')],
  ['durations', twice('duration(self.seconds) != duration("1s") && string(duration("1s")) != ""')],
  ['times', twice('timestamp("2024-01-02T03:04:05Z").getHours("Europe/Berlin") == 4')],
  ['formats', twice('"%.100f %e %s".format([1.5, 1.5, duration("1.5s")]) != ""')],
  ['patterns', once('!"abc".matches(a + "[a-z0-9]*(?i)k")')],
];

test.each(DEAR)('no cost without steps: %s', (_, expression) => {
  const program = compileUntyped(expression);
  const budget = new Budget(STEPS);
  const work = workOf(() => {
    try {
      program.evaluate(object, budget);
    } catch {
      // Most of them cost more than there are steps.
    }
  });
  expect(work).toBeLessThan(MOST_WORK_A_STEP * Math.min(budget.spent, STEPS));
});

test('what steps do not measure ends by the clock', () => {
  expect(() => withDeadline(50, () => {
    for (;;);
  })).toThrow(DeadlineError);
  expect(withDeadline(10_000, () => 1)).toBe(1);
});

test('after an evaluation that the clock has ended, no other one of the object begins', () => {
  const budget = new Budget(1e15, 50);
  const endless = compileUntyped(`self.list.all(a, self.list.all(b, ${twice('a + b != "q"')}))`);
  expect(() => endless.evaluate(object, budget)).toThrow('the evaluation took longer than 50 ms');
  expect(() => compileUntyped('1').evaluate(object, budget)).toThrow('cost more than');
});
