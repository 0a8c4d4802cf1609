import { MUTANTS } from './mutants';
import type { ProtocolJob } from './worker';
import type { SimulatedMutant } from '../../../mutants/by-seeds';

/** Seeds that find most mutants, then others. */
const SEEDS = [1, 9, 8, 4, 6, 2, 21, 22, ...Array.from({ length: 300 }, (_, index) => index + 1)];
/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'the last but one gives up the group\'s Lease': 1426,
  'a tree does not overlap with its namespace': 126,
};

/** Mistakes of the protocol, which `mutants.test.ts` and `npx projen mutants` look for. */
export const PROTOCOL_MUTANTS: readonly SimulatedMutant<ProtocolJob>[] = Object.keys(MUTANTS).map((name) => ({
  name,
  seeds: [...new Set([FOUND_IN[name] ?? SEEDS[0]!, ...SEEDS])],
  job: (seed, mutant) => (mutant === undefined ? { seed } : { seed, mutant }),
  // Two owners or two writes at once: nobody at the end would be found more easily.
  isFoundBy: (violation) => !violation.startsWith('at the end'),
}));
