import type { Report } from './simulate';
import type { SimulationJob } from './worker';
import { bundleProgram, programOfSuite } from '../setup/bundled-program';

const PROGRAM = ['test/simulation/worker.ts', {
  'controller/reconcile/core/decide.ts': 'test/simulation/mutated/decide.ts',
  'controller/reconcile/fence.ts': 'test/simulation/mutated/fence.ts',
}] as const;

/** The program that simulates in processes of its own. */
export const simulationProgram = () => bundleProgram<SimulationJob, Report>(...PROGRAM);

/** For a suite: what simulates, in a process of its own. */
export const simulationsOfSuite = () => programOfSuite<SimulationJob, Report>(...PROGRAM);
