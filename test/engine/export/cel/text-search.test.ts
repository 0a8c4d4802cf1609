import fc from 'fast-check';
import { indexIn, lastIndexIn } from '../../../../engine/export/cel/text-search';
import { cpuMs } from '../../../util/cpu-time';

const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
const wanted = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 });

test('the places are those of JavaScript', () => {
  fc.assert(fc.property(text, wanted, fc.nat(40), (inside, part, from) => {
    expect(indexIn([...inside], [...part], from)).toBe(inside.indexOf(part, from));
    expect(lastIndexIn([...inside], [...part], from)).toBe(inside.lastIndexOf(part, from));
  }));
});

test('a text that nearly has the other one at every place takes linear time', () => {
  const inside = 'a'.repeat(2 ** 20);
  const part = `${'a'.repeat(2 ** 19)}b`;
  expect(cpuMs(() => {
    expect(indexIn(inside, part, 0)).toBe(-1);
    expect(indexIn([...inside], [...part], 0)).toBe(-1);
    expect(lastIndexIn([...inside], [...part], 2 ** 20)).toBe(-1);
  })).toBeLessThan(2_000);
});
