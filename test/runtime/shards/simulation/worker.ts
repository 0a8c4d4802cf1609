import { MUTANTS } from './mutants';
import { simulate, type Report } from './simulate';
import { answerJobs } from '../../../setup/answer-jobs';

/** One simulation of the protocol. */
export interface ProtocolJob {
  readonly seed: number;
  /** Name of a mistake in the protocol. */
  readonly mutant?: string;
}

answerJobs<ProtocolJob, Report>(async ({ seed, mutant }) => {
  const undo = mutant === undefined ? undefined : MUTANTS[mutant]!();
  try {
    return await simulate(seed);
  } finally {
    undo?.();
  }
});
