import { asText } from '../../src/util/words';

test.each<[unknown, string]>([
  ['a', 'a'], [1, '1'], [true, 'true'], [null, 'null'], [undefined, 'undefined'], [[1, 'b'], '[1,"b"]'],
  // `String` throws for these.
  [{ toString: 1 }, '{"toString":1}'], [[{ toString: null, valueOf: 2 }], '[{"toString":null,"valueOf":2}]'],
])('%j is the text %s', (value, text) => expect(asText(value)).toBe(text));
