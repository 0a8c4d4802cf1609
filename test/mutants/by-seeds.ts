import type { Mutant, SimulationProgram } from './mutant';

/** A mistake that a seed of a simulation has to find. */
export interface SimulatedMutant<Job> {
  readonly name: string;
  /** Within these, first those that are known to find it. */
  readonly seeds: readonly number[];
  /** The job of a seed: with the mistake, or as the product is. */
  readonly job: (seed: number, mistake?: string) => Job;
  /** Whether a violation is what the mistake has to be found by. */
  readonly isFoundBy: (violation: string) => boolean;
}

interface SimulationReport {
  readonly violations: readonly string[];
}

/** The first seed that finds a mistake, and the violation. */
export async function firstSeed<Job>(
  { name, seeds, job, isFoundBy }: SimulatedMutant<Job>, simulate: (job: Job) => Promise<SimulationReport>,
): Promise<{ readonly seed: number; readonly violation: string } | undefined> {
  for (const seed of seeds) {
    const { violations } = await simulate(job(seed, name));
    const violation = violations.find(isFoundBy);
    if (violation !== undefined) return { seed, violation };
  }
  return undefined;
}

/** The mutants of a simulation, for the command. */
export function bySeeds<Job, Answer extends SimulationReport>(
  mutants: readonly SimulatedMutant<Job>[], program: SimulationProgram<Job, Answer>,
): Mutant[] {
  const withoutMistake = new Map<string, Promise<Answer>>();
  return mutants.map((mutant) => ({
    name: mutant.name,
    find: async (tools) => {
      const simulate = await tools.simulation(program);
      const found = await firstSeed(mutant, simulate);
      if (!found) return { found: false, why: `none of ${mutant.seeds.length} seeds finds it` };
      // A seed that is red as the product is has found nothing.
      const job = mutant.job(found.seed);
      const key = JSON.stringify(job);
      if (!withoutMistake.has(key)) withoutMistake.set(key, simulate(job));
      if ((await withoutMistake.get(key)!).violations.some(mutant.isFoundBy)) {
        return { found: false, why: `seed ${found.seed} fails without it as well` };
      }
      return { found: true, by: `seed ${found.seed}: ${found.violation}` };
    },
  }));
}
