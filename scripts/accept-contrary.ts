// Brings all recorded cases to Ready in the simulator's contrary mode, and counts what is written once they are at rest.
//
//   npm run accept:contrary -- DIR [--seeds N] [--seed TEXT] [--plain] [--only TEXT] [--azure-types DIR] [--verbose]
//
// DIR holds cases as in the conformance suite. Seeds are 1 to N (default 1), or the one that is given: with an odd one drift is detected by
// reads, with an even one by batch queries. --plain runs without the mode. A case passes with a seed when each of its objects is Ready and
// nothing is written in three sync periods. One line a fault, with the seed that repeats it, then `N passed, N failed`.
import { parseArgs } from 'node:util';
import { readCases } from './accept-contrary/cases';
import { runSeed } from './accept-contrary/run-seed';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'seeds': { type: 'string', default: '1' },
    'seed': { type: 'string' },
    'plain': { type: 'boolean' },
    'only': { type: 'string', default: '' },
    'azure-types': { type: 'string' },
    'controller-log': { type: 'string' },
    'sync-period': { type: 'string', default: '15' },
    'time-scale': { type: 'string', default: '300' },
    'timeout': { type: 'string', default: '1800' },
    'verbose': { type: 'boolean' },
  },
});

async function main(): Promise<void> {
  const [directory] = positionals;
  if (!directory) {
    console.error('Which cases? npm run accept:contrary -- DIR');
    process.exit(2);
  }
  const cases = readCases(directory, values.only);
  const seeds = values.plain ? [undefined] : values.seed === undefined ? numbers(Number(values.seeds)) : [values.seed];
  let passed = 0, failed = 0;
  for (const seed of seeds) {
    const driftDetection = isEven(seed) ? 'batch' : 'individual';
    const { faults, seconds, requests } = await runSeed(cases, {
      seed,
      driftDetection,
      azureTypes: values['azure-types'],
      timeScale: Number(values['time-scale']),
      syncPeriodSeconds: Number(values['sync-period']),
      timeoutSeconds: Number(values.timeout),
      controllerLog: values['controller-log'],
    });
    for (const [name, list] of faults) {
      for (const { object, text } of list.slice(0, values.verbose ? 100 : 4)) console.log(`${name}: ${object}: ${text} (seed ${seed ?? '-'})`);
    }
    const bad = faults.size;
    passed += cases.length - Math.min(bad, cases.length);
    failed += bad;
    console.log(`seed ${seed ?? '-'} (${driftDetection}): ${bad} of ${cases.length} cases failed, ${seconds} s, ${requests}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

/** Whether the last character has an even code, as those of even numbers have. */
function isEven(seed = 'x'): boolean {
  return seed.charCodeAt(seed.length - 1) % 2 === 0;
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

void main();
