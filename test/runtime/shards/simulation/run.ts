import { protocolProgram } from './program';
import type { Report } from './simulate';

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
  const program = await protocolProgram();
  let next = from;
  await Promise.all(Array.from({ length: jobs }, async () => {
    const started = program.start();
    while (next < from + count) {
      next += 1;
      add(await started.ask({ seed: next - 1 }));
    }
  }));
  program.end();
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${JSON.stringify(total)}, ${failed.length} failed: ${failed.slice(0, 20).join(' ')} (${seconds} s)\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

void main();
