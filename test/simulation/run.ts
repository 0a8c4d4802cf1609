import { simulate } from './simulate';

/** `npx tsx test/simulation/run.ts --seeds 1000 [--from 1]`, or `--seed 42` to see one run step by step. */
async function main(): Promise<void> {
  const option = (name: string) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? undefined : Number(process.argv[at + 1]);
  };
  const one = option('seed');
  const first = one ?? option('from') ?? 1;
  const count = one === undefined ? option('seeds') ?? 100 : 1;
  if (!Number.isSafeInteger(first) || !(count > 0)) throw new Error('usage: run.ts [--seeds COUNT] [--from SEED] | --seed SEED');
  const began = performance.now();
  const failed: number[] = [];
  let [crashes, requests] = [0, 0];
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  for (let seed = first; seed < first + count; seed += 1) {
    const report = await simulate(seed, one === undefined ? {} : { onStep: (line) => process.stdout.write(`${line}\n`) });
    crashes += report.crashes;
    requests += report.requests;
    if (report.violations.length > 0) {
      failed.push(seed);
      process.stdout.write(`seed ${seed} (${report.faults.join(', ')}):\n${report.violations.slice(0, 5).map((text) => `  ${text}\n`).join('')}`);
    }
    if ((seed - first + 1) % 100 === 0) process.stdout.write(`${seed - first + 1} seeds, ${failed.length} failed, ${crashes} crashes, ${requests} requests, ${seconds()} s\n`);
  }
  process.stdout.write(`${count} seeds from ${first}: ${failed.length} failed${failed.length > 0 ? ` (${failed.join(' ')})` : ''}, ${crashes} crashes, ${requests} requests, ${seconds()} s\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

void main();
