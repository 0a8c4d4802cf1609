import { SharedTexts } from '../../engine/shared-texts';

test('texts are forgotten when many others came later, and kept while they are met', () => {
  const texts = new SharedTexts();
  const kept = 'a text that is met often';
  const all = texts as unknown as { young: Map<string, string>; old: Map<string, string> };
  texts.of(kept);
  texts.of('a text that is met once');
  for (let count = 0; count < 20_000; count += 1) {
    texts.of(`a text with the number ${count}`);
    if (count % 1_000 === 0) texts.of(kept);
  }
  expect(all.young.size + all.old.size).toBeLessThanOrEqual(2 * 4_096);
  expect(all.young.has(kept) || all.old.has(kept)).toBe(true);
  expect(all.young.has('a text that is met once') || all.old.has('a text that is met once')).toBe(false);
});

test('texts that are shared are neither short nor long, whatever a tenant writes', () => {
  const texts = new SharedTexts();
  const all = texts as unknown as { young: Map<string, string> };
  expect([texts.of('short'), texts.of('x'.repeat(201))]).toEqual(['short', 'x'.repeat(201)]);
  expect(all.young.size).toBe(0);
});

test('texts deep inside an object that is nested without end are not shared', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}"a longer text"${']'.repeat(100_000)}`) as object;
  expect(() => new SharedTexts().share(deep)).not.toThrow();
});

test('a member named __proto__ is left as it is', () => {
  const value = JSON.parse('{"__proto__":{"a":"a longer text"},"b":"a longer text"}') as Record<string, unknown>;
  new SharedTexts().share(value);
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":"a longer text"},"b":"a longer text"}');
});
