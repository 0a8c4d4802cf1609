import { fork } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { simulate, type Report } from './simulate';

/** `npx tsx test/runtime/shards/simulation/run.ts [--seeds 10000] [--from 1] [--jobs 2]`: seeds in processes of their own. */
async function main(): Promise<void> {
  const option = (name: string, otherwise: number) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
  };
  const [count, from, jobs] = [option('seeds', 10_000), option('from', 1), option('jobs', 2)];
  if (![count, from, jobs].every((number) => Number.isSafeInteger(number) && number > 0)) {
    throw new Error('usage: run.ts [--seeds COUNT] [--from SEED] [--jobs PROCESSES]; numbers are whole numbers from 1');
  }
  const began = performance.now();
  const failed: number[] = [];
  const total = { seeds: 0, requests: 0, writes: 0, takeOvers: 0, lives: 0 };
  const add = ({ seed, violations, disturbances, ...numbers }: Report) => {
    total.seeds += 1;
    for (const name of ['requests', 'writes', 'takeOvers', 'lives'] as const) total[name] += numbers[name];
    if (violations.length === 0) return;
    failed.push(seed);
    if (failed.length <= 20) process.stdout.write(`seed ${seed} (${disturbances.join(', ')}):\n  ${violations.slice(0, 4).join('\n  ')}\n`);
  };
  const bundle = bundled();
  await Promise.all(Array.from({ length: jobs }, (_, job) => new Promise<void>((resolve, reject) => {
    const share = [from + job, from + count, jobs].map(String);
    const child = fork(bundle, ['--worker', ...share], { execArgv: ['--stack-trace-limit=0'] });
    child.on('message', (report: Report) => add(report));
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a process of the simulation ended with ${code}`))));
  })));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${JSON.stringify(total)}, ${failed.length} failed: ${failed.slice(0, 20).join(' ')} (${seconds} s)\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function bundled(): string {
  const root = join(__dirname, '..', '..', '..', '..');
  const outfile = join(root, 'node_modules', '.simulation', 'shards.cjs');
  buildSync({
    entryPoints: [__filename],
    bundle: true,
    external: ['esbuild'],
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** Each job takes every n-th seed. */
async function work(first: number, end: number, step: number): Promise<void> {
  for (let seed = first; seed < end; seed += step) process.send!(await simulate(seed));
  process.disconnect();
}

const worker = process.argv.indexOf('--worker');
if (worker < 0) {
  void main();
} else {
  const [first, end, step] = process.argv.slice(worker + 1).map(Number);
  void work(first!, end!, step!).then(() => process.exit(0));
}
