import { simulate, type Report } from './simulate';

/** Seeds to run one after the other. */
export interface Share {
  readonly from: number;
  readonly count: number;
}

/** What a worker tells: each report, and that its share is done. */
export type Told = { readonly report: Report } | { readonly done: true };

/** One process of `run.ts`: takes shares until its parent lets go. */
process.on('message', ({ from, count }: Share) => void work(from, count));

async function work(from: number, count: number): Promise<void> {
  const tell = (told: Told) => process.send!(told);
  for (let seed = from; seed < from + count; seed += 1) tell({ report: await simulate(seed) });
  tell({ done: true });
}
