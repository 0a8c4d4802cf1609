import fc from 'fast-check';
import { dependencyOrder } from '../../../cli/plan/order';

const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }).map((list) => new Set(list)), { minLength: size, maxLength: size }));

test('each after what it depends on, and otherwise as given', () => {
  expect(dependencyOrder([new Set([3]), new Set(), new Set([0]), new Set()])).toEqual({ order: [1, 3, 0, 2], cycles: [] });
});

test('a cycle is reported as a path, and what waits for it has no place', () => {
  expect(dependencyOrder([new Set([1]), new Set([2]), new Set([0]), new Set([2]), new Set()])).toEqual({
    order: [4],
    cycles: [[0, 1, 2, 0]],
  });
  expect(dependencyOrder([new Set([0])])).toEqual({ order: [], cycles: [[0, 0]] });
});

test('holds for any graph', () => {
  fc.assert(fc.property(graph, (dependencies) => {
    const { order, cycles } = dependencyOrder(dependencies);
    const position = new Map(order.map((index, at) => [index, at]));
    expect(position.size).toBe(order.length);
    for (const index of order) for (const other of dependencies[index]!) expect(position.get(other)).toBeLessThan(position.get(index)!);
    for (const cycle of cycles) {
      expect(cycle[0]).toBe(cycle.at(-1));
      cycle.slice(0, -1).forEach((index, i) => expect(dependencies[index]!.has(cycle[i + 1]!)).toBe(true));
    }
    expect(order.length < dependencies.length).toBe(cycles.length > 0);
  }));
});

test('a hundred thousand in a row', () => {
  const chain = Array.from({ length: 100_000 }, (_, i) => new Set(i === 0 ? [] : [i - 1]));
  expect(dependencyOrder(chain.reverse().map((_, i) => new Set(i + 1 < chain.length ? [i + 1] : []))).order[0]).toBe(99_999);
});
