import * as fc from 'fast-check';
import { LONGEST_CHAIN, CriticalPathIndex } from '../../../controller/reconcile/critical-path-index';

describe('LongestChains', () => {
  test('who has nobody waiting is 0; a chain counts its links, and of several the longest', () => {
    const chains = new CriticalPathIndex();
    chains.set('subnet', ['network']);
    chains.set('network', ['group']);
    chains.set('vault', ['group']);
    expect(['group', 'network', 'subnet', 'vault', 'unknown'].map((id) => chains.lengthOf(id))).toEqual([2, 1, 0, 0, 0]);
    chains.delete('subnet');
    expect([chains.lengthOf('group'), chains.lengthOf('network')]).toEqual([1, 0]);
  });

  test('what is only passed on is no link, whoever is known first', () => {
    for (const order of [['role', 'data'], ['data', 'role']]) {
      const chains = new CriticalPathIndex();
      for (const id of order) id === 'data' ? chains.set('data', ['identity'], 0) : chains.set('role', ['data']);
      expect(chains.lengthOf('identity')).toBe(1);
    }
  });

  test('a cycle ends, counts as long as can be, and is gone when it is broken', () => {
    const chains = new CriticalPathIndex();
    chains.set('a', ['b', 'a']);
    chains.set('b', ['c']);
    chains.set('c', ['a']);
    expect(['a', 'b', 'c'].map((id) => chains.lengthOf(id))).toEqual([LONGEST_CHAIN, LONGEST_CHAIN, LONGEST_CHAIN]);
    chains.delete('c');
    expect(['a', 'b', 'c'].map((id) => chains.lengthOf(id))).toEqual([0, 1, 2]);
  });

  test('tells whose length has changed, once for each change', () => {
    const changed: string[] = [];
    const chains = new CriticalPathIndex((id) => changed.push(id));
    chains.set('network', ['group']);
    chains.set('subnet', ['network']);
    chains.set('other', ['network']);
    expect(changed).toEqual(['group', 'network', 'group']);
  });

  test('law: without cycles, lengths are those of the definition after any changes, and nothing is kept of what is gone', () => {
    const change = fc.record({
      id: fc.integer({ min: 0, max: 9 }),
      needs: fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30, size: 'max' }), (changes) => {
        const chains = new CriticalPathIndex();
        const needs = new Map<number, number[]>();
        for (const { id, needs: wanted } of changes) {
          // Only what is smaller can be needed, so there is no cycle.
          const smaller = wanted?.filter((needed) => needed < id) ?? [];
          if (wanted) {
            needs.set(id, smaller);
            chains.set(String(id), smaller.map(String));
          } else {
            needs.delete(id);
            chains.delete(String(id));
          }
          // Those that wait for a number are greater.
          const lengths: number[] = Array<number>(10).fill(0);
          for (let of = 9; of >= 0; of -= 1) {
            for (const needed of needs.get(of) ?? []) lengths[needed] = Math.max(lengths[needed]!, 1 + lengths[of]!);
          }
          expect(lengths.map((_, of) => chains.lengthOf(String(of)))).toEqual(lengths);
        }
        for (const id of needs.keys()) chains.delete(String(id));
        expect(chains.size).toBe(0);
      }),
    );
  });

  test('law: cycles of any form end and leave nothing behind', () => {
    const change = fc.record({ id: fc.integer({ min: 0, max: 6 }), needs: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }) });
    fc.assert(fc.property(fc.array(change, { maxLength: 30, size: 'max' }), (changes) => {
      const chains = new CriticalPathIndex();
      for (const { id, needs } of changes) chains.set(String(id), needs.map(String));
      for (let id = 0; id <= 6; id += 1) expect(chains.lengthOf(String(id))).toBeLessThanOrEqual(LONGEST_CHAIN);
      for (let id = 0; id <= 6; id += 1) chains.delete(String(id));
      expect(chains.size).toBe(0);
    }));
  });
});
