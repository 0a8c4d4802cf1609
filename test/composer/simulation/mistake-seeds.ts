import { MISTAKES } from './mistakes';
import { simulate } from './simulate';
import type { SimulatedMutant } from '../../mutants/by-seeds';

/** One simulation of the composer. */
export interface CompositionJob {
  readonly seed: number;
  /** Name of a mistake that the composer makes. */
  readonly mistake?: string;
}

export interface CompositionReport {
  readonly violations: readonly string[];
}

/** Mistakes of the composer, which `simulation.test.ts` and `npx projen mutants` look for. */
export const COMPOSITION_MUTANTS: readonly SimulatedMutant<CompositionJob>[] = Object.keys(MISTAKES).map((name) => ({
  name,
  seeds: Array.from({ length: 60 }, (_, index) => index + 1),
  job: (seed, mistake) => (mistake === undefined ? { seed } : { seed, mistake }),
  isFoundBy: () => true,
}));

/** Runs one seed. */
export async function simulateJob({ seed, mistake }: CompositionJob): Promise<CompositionReport> {
  return { violations: await simulate(seed, mistake === undefined ? {} : MISTAKES[mistake]) };
}
