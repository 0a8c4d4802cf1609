import { simulationProgram } from './program';
import { simulate, type Report } from './simulate';
import type { SimulationJob } from './worker';

/**
 * `npx tsx test/simulation/run.ts --seeds 1000 [--from 1] [--jobs 2] [--without garbled,lateLists] [--shards]
 * [--members]`, or `--seed 42` to see one run step by step. With `--shards` three replicas share the namespaces, with `--members` members
 * of teams make objects by hand.
 * Seeds run in processes of their own, from a bundle.
 */
async function main(): Promise<void> {
  const option = (name: string) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? undefined : Number(process.argv[at + 1]);
  };
  const leftOut = process.argv.indexOf('--without');
  const without = leftOut < 0 ? [] : process.argv[leftOut + 1]!.split(',');
  const shards = process.argv.includes('--shards');
  const members = process.argv.includes('--members') ? 'guarded' : undefined;
  const [one, from = 1, count = 100, jobs = 1] = [option('seed'), option('from'), option('seeds'), option('jobs')];
  const isWhole = [one ?? 1, from, count, jobs].every((number) => Number.isSafeInteger(number) && number > 0);
  if (!isWhole) {
    throw new Error(
      'usage: run.ts [--seeds COUNT] [--from SEED] [--jobs PROCESSES] [--without FAULTS] [--shards] [--members] | --seed SEED [--shards] [--members]; numbers are whole numbers from 1',
    );
  }
  const total = new Total(one ?? from);
  if (one !== undefined) total.add(await simulate(one, { without, shards, members, onStep: (line) => process.stdout.write(`${line}\n`) }));
  else await runAll({ from, count, without, shards, members }, jobs, total);
  process.stdout.write(`${total.text}\n`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
}

interface Seeds extends Omit<SimulationJob, 'seed'> {
  readonly from: number;
  readonly count: number;
}

async function runAll({ from, count, ...options }: Seeds, jobs: number, total: Total): Promise<void> {
  const program = await simulationProgram();
  let next = from;
  await Promise.all(Array.from({ length: jobs }, async () => {
    const started = program.start();
    while (next < from + count) {
      next += 1;
      total.add(await started.ask({ ...options, seed: next - 1 }));
    }
  }));
  program.end();
}

/** Results of the runs so far; failed runs are reported at once. */
class Total {
  public readonly failed: number[] = [];
  private readonly began = performance.now();
  private runs = 0;
  private crashes = 0;
  private requests = 0;
  private moves = 0;

  public constructor(private readonly from: number) {}

  public get text(): string {
    const seconds = (performance.now() - this.began) / 1000;
    const which = this.failed.length > 0 ? ` (${this.failed.sort((a, b) => a - b).join(' ')})` : '';
    const pace = `${seconds.toFixed(1)} s, ${(seconds / this.runs).toFixed(3)} s a seed`;
    return `${this.runs} seeds from ${this.from}: ${this.failed.length} failed${which}, ${this.crashes} crashes, ${this.requests} requests, ${this.moves > 0 ? `${this.moves} moves, ` : ''}${pace}`;
  }

  public add({ seed, faults, violations, crashes, requests, moves }: Report): void {
    this.runs += 1;
    this.crashes += crashes;
    this.requests += requests;
    this.moves += moves;
    if (violations.length > 0) {
      this.failed.push(seed);
      process.stdout.write(`seed ${seed} (${faults.join(', ')}):\n${violations.slice(0, 5).map((text) => `  ${text}\n`).join('')}`);
    }
    if (this.runs % 250 === 0) process.stdout.write(`${this.text}\n`);
  }
}

void main();
