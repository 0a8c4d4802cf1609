import { array, assert, constantFrom, nat, oneof, property, record } from 'fast-check';
import { Dependencies, type Use } from '../../../controller/reconcile/dependencies';
import { sharedKeyOf } from '../../../controller/reconcile/object-key';
import type { ObjectId } from '../../../src/object-id';

const key = (number: number): ObjectId => ({ group: 'g', kind: 'K', namespace: 'n', name: `x${number}` });
const dependentsOf = (dependencies: Dependencies, needed: number) =>
  dependencies.on(key(needed)).map((dependent) => `${sharedKeyOf(dependent.key)} ${dependent.use}`);

const step = oneof(
  record({ do: constantFrom('add' as const), from: nat(3), to: nat(3), use: constantFrom<Use>('object', 'import', 'credential') }),
  record({ do: constantFrom('reset' as const), from: nat(3) }),
);

test('who depends on an object is who has asked for it since its last reset, in that order', () => {
  assert(property(array(step, { maxLength: 40 }), (steps) => {
    const dependencies = new Dependencies();
    let edges: { from: number; to: number; text: string }[] = [];
    for (const one of steps) {
      if (one.do === 'reset') {
        dependencies.reset(key(one.from));
        edges = edges.filter(({ from }) => from !== one.from);
      } else {
        dependencies.add(key(one.from), key(one.to), one.use);
        const text = `${sharedKeyOf(key(one.from))} ${one.use}`;
        if (!edges.some((edge) => edge.to === one.to && edge.text === text)) edges.push({ from: one.from, to: one.to, text });
      }
    }
    for (const to of [0, 1, 2, 3]) {
      expect(dependentsOf(dependencies, to)).toEqual(edges.filter((edge) => edge.to === to).map(({ text }) => text));
    }
  }), { numRuns: 300 });
});

test('another use of the same object comes behind the uses by others before it', () => {
  const dependencies = new Dependencies();
  dependencies.add(key(1), key(0), 'object');
  dependencies.add(key(2), key(0), 'object');
  dependencies.add(key(1), key(0), 'import');
  expect(dependentsOf(dependencies, 0)).toEqual([`${sharedKeyOf(key(1))} object`, `${sharedKeyOf(key(2))} object`, `${sharedKeyOf(key(1))} import`]);
});
