import { SHARD_MUTANTS } from './mistake-seeds';
import { simulationsOfSuite } from './program';
import { firstSeed } from '../mutants/by-seeds';

const simulate = simulationsOfSuite();

test.each(SHARD_MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s: found', async (_, mutant) => {
  expect(await firstSeed(mutant, simulate)).toBeDefined();
});
