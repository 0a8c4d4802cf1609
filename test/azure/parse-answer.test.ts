import { DEEPEST_ANSWER, MOST_VALUES, parseAnswer } from '../../engine/arm/json';

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('an answer that nests more deeply than any of Azure is none', () => {
  expect(parseAnswer(lists(DEEPEST_ANSWER))).toEqual(expect.any(Array));
  expect(parseAnswer(lists(DEEPEST_ANSWER + 1))).toBeUndefined();
  expect(parseAnswer(`${'{"a":'.repeat(DEEPEST_ANSWER + 1)}1${'}'.repeat(DEEPEST_ANSWER + 1)}`)).toBeUndefined();
  expect(parseAnswer('['.repeat(1_000_000))).toBeUndefined();
});

test('an answer with more values than any of Azure is none', () => {
  const objects = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`;
  // A comma and a bracket each.
  expect(parseAnswer(objects(MOST_VALUES / 2))).toHaveLength(MOST_VALUES / 2);
  expect(parseAnswer(objects(MOST_VALUES / 2 + 1))).toBeUndefined();
  expect(parseAnswer(`["${',{'.repeat(MOST_VALUES)}"]`)).toHaveLength(1);
});

test('brackets in texts do not nest', () => {
  for (const text of ['['.repeat(1_000), `\\"${'{'.repeat(1_000)}`, '\\\\', '[\\\\\\"['.repeat(500)]) {
    expect(parseAnswer(`{"a":"${text}"}`)).toEqual({ a: JSON.parse(`"${text}"`) });
  }
});

test('what is no JSON', () => {
  for (const text of ['', ' ', '<html>', '{"a":', '"', '"\\', ']', '}}']) expect(parseAnswer(text)).toBeUndefined();
  expect(parseAnswer('\ufeff{"a":1}')).toEqual({ a: 1 });
});
