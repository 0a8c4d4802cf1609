// `cdk8s-aso check` over 10,000 objects of one file: against reading the file and parsing its YAML alone, which nothing that looks at YAML can
// do without. Each run is a process of its own; the processor's time is that of the process, memory is its largest resident set.
//
//   node bench/check.mjs [--count N] [--rounds N] [--output json]        after `npm run make`
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountManifest, group } from './shared/accounts.mjs';
import { compared, fail, interleaved, needBuild, optionsOf, report, root, round } from './shared/bench.mjs';

const { count, rounds, json } = optionsOf({ count: 10000, rounds: 5 });
needBuild();
const { stringify } = createRequire(import.meta.url)('yaml');

const USAGE = "process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); "
  + "process.stderr.write(`\\nusage ${(userCPUTime + systemCPUTime) / 1000} ${maxRSS / 1024}\\n`); });";

const folder = mkdtempSync(join(tmpdir(), 'bench-check-'));
const file = join(folder, 'objects.yaml');
const usage = join(folder, 'usage.cjs');
const parse = join(folder, 'parse.cjs');
try {
  const objects = [group, ...Array.from({ length: count - 1 }, (_, i) => accountManifest(i))];
  const namespaced = objects.map((object) => ({ ...object, metadata: { ...object.metadata, namespace: 'bench' } }));
  writeFileSync(file, namespaced.map((object) => stringify(object)).join('---\n'));
  writeFileSync(usage, USAGE);
  const yaml = JSON.stringify(join(root, 'node_modules/yaml'));
  const read = `const text = require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8');\n`;
  writeFileSync(parse, `${read}const all = require(${yaml}).parseAllDocuments(text).map((one) => one.toJS());\nif (all.length !== ${count}) throw new Error(\`\${all.length} objects\`);\n`);
  const program = join(root, 'lib/cli/main.js');
  const taken = await interleaved({
    'parse with `yaml`, which knows lines': () => run([parse]),
    'cdk8s-aso check': () => run([program, 'check', file, '--severity', 'error'], `Check: ${count} objects`),
    'cdk8s-aso graph (tree)': () => run([program, 'graph', file, '--format', 'tree'], 'ResourceGroup group'),
    'cdk8s-aso graph --format json': () => run([program, 'graph', file, '--format', 'json'], '"criticalPath"'),
  }, rounds);
  const clock = compared(taken, ({ ms }) => ms);
  const memory = compared(taken, ({ mib }) => mib);
  report({
    json,
    title: `${count} objects in one file, median of ${rounds} processes; ratios by processor time`,
    rows: compared(taken, ({ cpu }) => cpu).map(({ name, median: cpu, ratio }, at) => ({
      what: name, ratio, 'processor ms': round(cpu), 'clock ms': round(clock[at].median), 'objects/s': round(count / clock[at].median * 1000), 'MiB': round(memory[at].median),
    })),
  });
} finally {
  rmSync(folder, { recursive: true });
}

/** Time and memory of a process, after a check of its output. */
function run(args, expected = '') {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, ['--require', usage, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk));
    child.on('close', (status) => {
      const ms = performance.now() - start;
      const [, cpu, mib] = /usage (\S+) (\S+)/.exec(err) ?? [];
      // check ends with 1 where it has something to say
      if (cpu === undefined || (status !== 0 && expected === '') || !out.includes(expected)) fail(`${args.join(' ')}: status ${status}\n${out.slice(-500)}\n${err.slice(-2000)}`);
      resolve({ ms, cpu: Number(cpu), mib: Number(mib) });
    });
  });
}
