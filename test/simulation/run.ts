import { fork } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { simulate, type Report } from './simulate';
import type { Share, WorkerMessage } from './worker';

/**
 * `npx tsx test/simulation/run.ts --seeds 1000 [--from 1] [--jobs 2] [--without garbled,lateLists] [--shards]`, or `--seed 42` to see one
 * run step by step. With `--shards` three replicas share the namespaces.
 * Seeds run in processes of their own, from a bundle: as fast as the controller itself, which nobody instruments for a debugger.
 */
async function main(): Promise<void> {
  const option = (name: string) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? undefined : Number(process.argv[at + 1]);
  };
  const leftOut = process.argv.indexOf('--without');
  const without = leftOut < 0 ? [] : process.argv[leftOut + 1]!.split(',');
  const shards = process.argv.includes('--shards');
  const [one, from = 1, count = 100, jobs = 1] = [option('seed'), option('from'), option('seeds'), option('jobs')];
  const isWhole = [one ?? 1, from, count, jobs].every((number) => Number.isSafeInteger(number) && number > 0);
  if (!isWhole) {
    throw new Error(
      'usage: run.ts [--seeds COUNT] [--from SEED] [--jobs PROCESSES] [--without FAULTS] [--shards] | --seed SEED [--shards]; numbers are whole numbers from 1',
    );
  }
  const total = new Total(one ?? from);
  if (one !== undefined) total.add(await simulate(one, { without, shards, onStep: (line) => process.stdout.write(`${line}\n`) }));
  else await runAll({ from, count, without, shards }, jobs, total);
  process.stdout.write(`${total.text}\n`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
}

/** Small enough that all processes end at about the same time. */
const SHARE = 20;

async function runAll({ from, count, without, shards }: Share, jobs: number, total: Total): Promise<void> {
  const bundle = bundled();
  let next = from;
  const take = (): Share | undefined => {
    const share = { from: next, count: Math.min(SHARE, from + count - next), without, shards };
    next += share.count;
    return share.count > 0 ? share : undefined;
  };
  await Promise.all(Array.from({ length: jobs }, () => new Promise<void>((resolve, reject) => {
    // Thousands of errors are created without their stacks being read; a single run shows them. Most objects live for one step.
    const child = fork(bundle, { execArgv: ['--stack-trace-limit=0', '--max-semi-space-size=64'] });
    const proceed = () => {
      const share = take();
      if (share) child.send(share);
      else child.disconnect();
    };
    child.on('message', (message: WorkerMessage) => {
      if ('report' in message) total.add(message.report);
      else proceed();
    });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a process of the simulation ended with ${code}`))));
    proceed();
  })));
}

/** The catalog finds itself two folders above the code that reads it. */
function bundled(): string {
  const root = join(__dirname, '..', '..');
  const outfile = join(root, 'node_modules', '.simulation', 'worker.cjs');
  buildSync({
    entryPoints: [join(root, 'test', 'simulation', 'worker.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return outfile;
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
