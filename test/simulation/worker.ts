import { simulate, type Report } from './simulate';

/** Seeds to run one after the other. */
export interface Share {
  readonly from: number;
  readonly count: number;
  /** Faults that are left out. */
  readonly without?: readonly string[] | undefined;
  readonly shards?: boolean | undefined;
}

/** Message of a worker: each report, and the end of its share. */
export type WorkerMessage = { readonly report: Report } | { readonly done: true };

/** One process of `run.ts`: takes shares until its parent lets go. */
process.on('message', (share: Share) => void work(share));
// Requests of processes that were killed have timers of their own.
process.on('disconnect', () => process.exit(0));

async function work({ from, count, without, shards }: Share): Promise<void> {
  const send = (message: WorkerMessage) => process.send!(message);
  for (let seed = from; seed < from + count; seed += 1) send({ report: await simulate(seed, { without, shards }) });
  send({ done: true });
}
