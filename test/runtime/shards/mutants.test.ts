import { PROTOCOL_MUTANTS } from './simulation/mutant-seeds';
import { protocolOfSuite } from './simulation/program';
import { firstSeed } from '../../mutants/by-seeds';

const simulate = protocolOfSuite();

test.each(PROTOCOL_MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s: found', async (_, mutant) => {
  expect(await firstSeed(mutant, simulate)).toBeDefined();
});
