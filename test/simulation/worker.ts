import { MISTAKES, type Mistake } from './mistakes';
import { SHARD_MISTAKES, type ShardMistake } from './mistakes-of-shards';
import { mutate } from './mutated/decide';
import { unfence } from './mutated/fence';
import { simulate, type Report, type SimulationOptions } from './simulate';
import { answerJobs } from '../setup/answer-jobs';

/** One simulation. */
export interface SimulationJob extends Omit<SimulationOptions, 'onStep'> {
  readonly seed: number;
  /** Name of a mistake that the controller makes. */
  readonly mistake?: string;
}

answerJobs<SimulationJob, Report>(async ({ seed, mistake, ...options }) => {
  const { core, unfenced, around }: Mistake & Partial<ShardMistake> = mistakeOf(mistake);
  mutate(core);
  unfence(unfenced);
  const undo = around?.();
  try {
    return await simulate(seed, options);
  } finally {
    undo?.();
  }
});

function mistakeOf(name: string | undefined): Mistake & Partial<ShardMistake> {
  if (name === undefined) return {};
  const mistake = MISTAKES[name] ?? SHARD_MISTAKES[name];
  if (!mistake) throw new Error(`no mistake has the name "${name}"`);
  return mistake;
}
