import { DEEPEST_ANSWER, parseAnswer } from '../../engine/arm/json';

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('an answer that nests more deeply than any of Azure is none', () => {
  expect(parseAnswer(lists(DEEPEST_ANSWER))).toEqual(expect.any(Array));
  expect(parseAnswer(lists(DEEPEST_ANSWER + 1))).toBeUndefined();
  expect(parseAnswer(`${'{"a":'.repeat(DEEPEST_ANSWER + 1)}1${'}'.repeat(DEEPEST_ANSWER + 1)}`)).toBeUndefined();
  expect(parseAnswer('['.repeat(1_000_000))).toBeUndefined();
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
