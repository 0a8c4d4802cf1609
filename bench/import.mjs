// Time to import the library, in milliseconds more than cdk8s itself: medians of several child processes, in CPU time (which other programs
// disturb less) and in wall-clock time.
//
//   node bench/import.mjs [--runs N] [--json]        after `npm run make`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, interleaved, median, needBuild, optionsOf, report, round } from './shared/bench.mjs';

const { runs, json } = optionsOf({ runs: 15 });
needBuild(['lib/index.js']);
const lib = fileURLToPath(new URL('../lib/', import.meta.url));
const outdir = mkdtempSync(join(tmpdir(), 'bench-import-'));
process.on('exit', () => rmSync(outdir, { recursive: true }));

const path = (...parts) => JSON.stringify(join(lib, ...parts));
const allOf = (service) => `const m = require(${path('services', service)}); for (const name of Object.keys(m)) m[name];`;
const constructed = `
  const { App, Chart } = require('cdk8s'), app = new App({ outdir: ${JSON.stringify(outdir)} }), chart = new Chart(app, 'bench');
  const owner = new (require(${path('services', 'resources')}).ResourceGroup)(chart, 'group', { location: 'westeurope' });
  const { StorageAccount } = require(${path('services', 'storage')});
  new StorageAccount(chart, 'account', { owner, azureName: 'ledger1', location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } });`;
const cases = [
  ['root', `require(${path('index.js')});`],
  ['root, one class (storage.StorageAccount)', `require(${path('index.js')}).storage.StorageAccount;`],
  ['storage', `require(${path('services', 'storage')});`],
  ['storage, every class', allOf('storage')],
  ['network', `require(${path('services', 'network')});`],
  ['network, every class', allOf('network')],
  ['a storage account in an app, not yet synthesized', constructed],
  ['… and synthesized', `${constructed} app.synth();`],
  ['core, all of it', `const m = require(${path('core')}); for (const name of Object.keys(m)) m[name];`],
];

/** Milliseconds that the code takes in a new process in which cdk8s and constructs are loaded already. */
function measure(code, before) {
  const script = `${before}; const cpu = process.cpuUsage(), from = process.hrtime.bigint(); { ${code} }
    const ms = Number(process.hrtime.bigint() - from) / 1e6, { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, files: Object.keys(require.cache).filter((file) => file.startsWith(${JSON.stringify(lib)})).length }));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: join(lib, '..'), encoding: 'utf8' });
  if (status !== 0) fail(stderr);
  return JSON.parse(stdout);
}

const taken = await interleaved({
  'cdk8s itself': () => measure('require(\'cdk8s\');', ''),
  ...Object.fromEntries(cases.map(([name, code]) => [name, () => measure(code, 'require(\'cdk8s\'); require(\'constructs\')')])),
}, runs);
report({
  json,
  title: `loading, median of ${runs} processes each; all but the first line is over cdk8s`,
  rows: [...taken].map(([name, all]) => ({
    what: name,
    'processor ms': round(median(all.map(({ cpu }) => cpu)), 1),
    'clock ms': round(median(all.map(({ ms }) => ms)), 1),
    files: all[0].files,
  })),
});
