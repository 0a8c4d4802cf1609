import { AZURE_TYPES } from './kinds';
import type { GivenTrouble } from './list-troubles';
import { PENDING } from './pending';
import { simulationsOfSuite } from './program';
import { atNight } from '../setup/at-night';

/**
 * Seeds of each list and trouble: `SIMULATION_LIST_SEEDS=20 npx jest test/simulation/core-lists`. Without it one; of Azure's kinds a third
 * at night, else a ninth.
 */
const { SIMULATION_LIST_SEEDS } = process.env;
const COUNT = Number(SIMULATION_LIST_SEEDS ?? 1);
const simulate = simulationsOfSuite();
const CORE = ['Namespace', 'Secret', 'ConfigMap', 'CustomResourceDefinition'];
const TROUBLES: readonly GivenTrouble['how'][] = ['late', 'refused', 'cut'];
/** Another trouble for each kind. */
const isDue = (kind: number, how: number) =>
  kind < CORE.length || SIMULATION_LIST_SEEDS !== undefined || ((kind + how) % TROUBLES.length === 0 && kind % atNight(1, 3) === 0);
const lists = [...CORE, ...AZURE_TYPES.map(({ kind }) => kind)].flatMap((kind, index) =>
  TROUBLES.map((how, each) => ({ kind, how, isDue: isDue(index, each) })),
);

describe('no request that the whole picture forbids, and everything comes right, where at each start', () => {
  const due = lists.map(({ kind, how, isDue: isOne }, index) => [kind, how, index, isOne] as const).filter(([, , , isOne]) => isOne);
  test.each(due)('the list of %s is %s', async (kind, how, index) => {
    for (let each = 0; each < COUNT; each += 1) {
      // Each list has a simulation of its own: a fault that one does not contain is in the next.
      const { seed, violations } = await simulate({ seed: 1 + index + each * lists.length, without: PENDING, listTrouble: { kind, how } });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });
});
