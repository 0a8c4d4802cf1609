// What importing the library costs, in milliseconds over cdk8s itself: the median of several child processes.
//
//   node bench/import.mjs [--runs N] [--json]        after `npm run make`
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) fail(`--runs ${values.runs}: give a whole number, 1 or more.`);
const lib = fileURLToPath(new URL('../lib/', import.meta.url));
if (!existsSync(join(lib, 'index.js'))) fail(`${lib} is not compiled. Run: npm run make`);

const path = (...parts) => JSON.stringify(join(lib, ...parts));
const allOf = (service) => `const m = require(${path('services', service)}); for (const name of Object.keys(m)) m[name];`;
const cases = [
  ['root', `require(${path('index.js')});`],
  ['root, one class (storage.StorageAccount)', `require(${path('index.js')}).storage.StorageAccount;`],
  ['storage', `require(${path('services', 'storage')});`],
  ['storage, every class', allOf('storage')],
  ['network', `require(${path('services', 'network')});`],
  ['network, every class', allOf('network')],
  ['core, all of it', `const m = require(${path('core')}); for (const name of Object.keys(m)) m[name];`],
];

/** Milliseconds that the code takes in a new process in which cdk8s and constructs are loaded already. */
function measure(code, before) {
  const script = `${before}; const from = process.hrtime.bigint(); { ${code} } console.log(Number(process.hrtime.bigint() - from) / 1e6);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: join(lib, '..'), encoding: 'utf8' });
  if (status !== 0) fail(stderr);
  return Number(stdout);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const times = new Map([['cdk8s', []], ...cases.map(([name]) => [name, []])]);
for (let run = 0; run < runs; run++) {
  // In turns, so that whatever else the machine does falls on all of them.
  times.get('cdk8s').push(measure('require(\'cdk8s\');', ''));
  for (const [name, code] of cases) times.get(name).push(measure(code, 'require(\'cdk8s\'); require(\'constructs\')'));
}
const results = [...times].map(([name, all]) => ({ name, ms: Number(median(all).toFixed(1)) }));

if (values.json) console.log(JSON.stringify({ node: process.version, runs, results }, null, 2));
else {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log(`import, ms (median of ${runs}, Node ${process.version})`);
  for (const { name, ms } of results) console.log(`  ${name.padEnd(width)}  ${name === 'cdk8s' ? ' ' : '+'}${ms.toFixed(1).padStart(6)}`);
}
