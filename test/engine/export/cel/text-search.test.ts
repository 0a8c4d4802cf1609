import fc from 'fast-check';
import type * as TextSearch from '../../../../engine/export/cel/text-search';
import { counted, growth } from '../../../setup/work';

const { indexIn, lastIndexIn } = counted<typeof TextSearch>('engine/export/cel/text-search');

const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
const wanted = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 });

test('the places are those of JavaScript', () => {
  fc.assert(fc.property(text, wanted, fc.nat(40), (inside, part, from) => {
    expect(indexIn([...inside], [...part], from)).toBe(inside.indexOf(part, from));
    expect(lastIndexIn([...inside], [...part], from)).toBe(inside.lastIndexOf(part, from));
  }));
});

test.each<[string, (inside: string, part: string) => number]>([
  ['in a text', (inside, part) => indexIn(inside, part, 0)],
  ['in characters', (inside, part) => indexIn([...inside], [...part], 0)],
  ['in characters, from the end', (inside, part) => lastIndexIn([...inside], [...part], inside.length)],
])('a text that nearly has the other one at every place takes linear work: %s', (_, search) => {
  const searched = (size: number) => expect(search('a'.repeat(2 * size), `${'a'.repeat(size)}b`)).toBe(-1);
  expect(growth(2 ** 11, searched)).toBeLessThan(5);
});

test('a short text is left to JavaScript, as long as the product of both lengths is small', () => {
  const searched = (size: number) => indexIn('a'.repeat(size), `${'a'.repeat(50)}b`, 0);
  expect(growth(2 ** 11, searched)).toBeLessThan(5);
});
