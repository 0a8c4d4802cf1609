import { COMPOSITION_MUTANTS, simulateJob } from './mistake-seeds';
import { simulate } from './simulate';
import { firstSeed } from '../../mutants/by-seeds';

test('60 seeds: nothing is orphaned, made twice, taken over or deleted that is somebody else\'s, and all claims are Ready at the end', async () => {
  for (let seed = 101; seed <= 160; seed += 1) expect([seed, await simulate(seed)]).toEqual([seed, []]);
});

test.each(COMPOSITION_MUTANTS.map((mutant) => [mutant.name, mutant] as const))('the simulation finds that %s', async (_, mutant) => {
  expect(await firstSeed(mutant, simulateJob)).toBeDefined();
});
