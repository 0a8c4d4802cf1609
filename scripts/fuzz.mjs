#!/usr/bin/env node
// Mutated manifests, Azure answers, CRDs, Secrets and reviews through every entrance: does anything crash, or take longer than 100 ms?
//
//   node scripts/fuzz.mjs [--inputs 1000000] [--seed 1] [--jobs 2] [--entrance NAME] [--output table|json]
//
// The inputs are divided among the entrances, more for those that are quick. Seed, entrance and index give the same input again:
//
//   node scripts/fuzz.mjs --entrance convert --from 4711 --inputs 1 --seed 1 --output json
//
// Each finding is printed with its input. Exit status 0 when nothing was found.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const text = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: { inputs: text(1_000_000), seed: text(1), jobs: text(2), from: text(0), entrance: { type: 'string' }, output: text('table') },
});
const number = (name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`--${name} ${values[name]}: give a whole number`);
  process.exit(2);
};
const [inputs, seed, jobs, from] = ['inputs', 'seed', 'jobs', 'from'].map(number);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Like the product's own bundles, it finds the catalog two folders above itself. */
const PROGRAM = join(ROOT, '.cache', 'fuzz', 'child.cjs');
const TEXTS = join(dirname(PROGRAM), 'hostile-texts.json');
/** Inputs that one process takes before the next one begins: its start takes two seconds. */
const BATCH = 25_000;
/** Of the inputs that the other entrances take, those that print, draw or compile take a part. */
const SHARE = { 'check': 0.2, 'plan': 0.5, 'convert': 0.1, 'graph': 0.1, 'diff': 0.1, 'crds': 0.5, 'import-crds': 0.1, 'log': 0.1, 'redaction': 0.5 };
/** A process that has said nothing for so long hangs. */
const SILENCE_MS = 60_000;
/** Findings after which an entrance is left. */
const MOST_FINDINGS = 40;

await bundle();
const known = await prepare();
const names = known.filter((name) => !values.entrance || name === values.entrance);
if (names.length === 0) {
  console.error(`--entrance ${values.entrance}: give one of ${known.join(', ')}`);
  process.exit(2);
}
const began = Date.now();
const tallies = await takeAll(names);
const found = tallies.reduce((sum, { findings }) => sum + findings.length, 0);
const taken = tallies.reduce((sum, tally) => sum + tally.inputs, 0);
if (values.output === 'json') console.log(JSON.stringify(tallies, null, 2));
else printTable(tallies);
console.log(`${taken} inputs, seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s`);
console.log(found === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = found === 0 ? 0 : 1;

/** Everything in one file: to compile it anew would take each process seconds. */
function bundle() {
  return build({
    entryPoints: [join(ROOT, 'test', 'fuzz', 'child.ts')], outfile: PROGRAM, bundle: true, platform: 'node', format: 'cjs', target: 'node20.20', keepNames: true,
    external: ['typescript'], mainFields: ['module', 'main'], logLevel: 'error', absWorkingDir: ROOT, define: { 'import.meta.url': '__importMetaUrl' },
    banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
  });
}

/** The names of all entrances. Texts for which the whole source has to be read are made once, for all processes. */
async function prepare() {
  let printed = '';
  const child = spawn(process.execPath, [PROGRAM, '--prepare'], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (data) => (printed += data));
  await new Promise((resolve) => child.once('close', resolve));
  const { names: all, texts } = JSON.parse(printed);
  writeFileSync(TEXTS, JSON.stringify(texts));
  return all;
}

async function takeAll(entrances) {
  const whole = entrances.reduce((sum, name) => sum + (SHARE[name] ?? 1), 0);
  const batches = entrances.flatMap((name) => batchesOf(name, Math.ceil((inputs * (SHARE[name] ?? 1)) / whole)));
  const sums = new Map(entrances.map((entrance) => [entrance, { entrance, inputs: 0, refused: 0, longestMs: 0, cpuMs: 0, findings: [] }]));
  let done = 0;
  const worker = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const sum = sums.get(batch.entrance);
      if (sum.findings.length >= MOST_FINDINGS) continue;
      const { tally, rest } = await run(batch);
      if (rest) batches.unshift(rest);
      sum.inputs += tally.inputs;
      sum.refused += tally.refused;
      sum.cpuMs += tally.cpuMs;
      sum.longestMs = Math.max(sum.longestMs, Math.round(tally.longestMs));
      sum.findings.push(...tally.findings);
      done += tally.inputs;
      for (const { index, what } of tally.findings) console.error(`${batch.entrance} ${index}: ${what.split('\n').slice(0, 4).join(' | ')}`);
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${inputs}, ${Math.round((Date.now() - began) / 1000)} s `);
    }
  };
  await Promise.all(Array.from({ length: Math.max(jobs, 1) }, worker));
  return [...sums.values()];
}

function batchesOf(entrance, count) {
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, index) => ({ entrance, from: from + index * BATCH, count: Math.min(BATCH, count - index * BATCH) }));
}

/** One batch in a process of its own; a hang, or the end of the process, is a finding at the last index that it reported, and another process takes the rest. */
function run({ entrance, from: first, count }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, entrance, String(seed), String(first), String(count)], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOSTILE_TEXTS: TEXTS } });
    let last = { at: first, refused: 0, longestMs: 0, cpuMs: 0 };
    let tally;
    let errors = '';
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
    };
    alive();
    child.stderr.on('data', (data) => (errors = `${errors}${data}`.slice(-2_000)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      alive();
      const message = JSON.parse(line);
      if ('at' in message) last = message;
      else tally = message;
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (tally) return resolve({ tally });
      const what = signal === 'SIGKILL' ? `hangs at ${last.at}` : `the process ended (${signal ?? code}) at ${last.at}: ${errors}`;
      const next = last.at + 1;
      const rest = next < first + count ? { entrance, from: next, count: first + count - next } : undefined;
      resolve({ tally: { ...last, inputs: next - first, findings: [{ entrance, index: last.at, what }] }, rest });
    });
  });
}

function printTable(rows) {
  console.log('entrance              inputs   refused   longest ms   inputs per CPU second   findings');
  for (const { entrance, inputs: count, refused, longestMs, cpuMs, findings } of rows) {
    const rate = cpuMs > 0 ? Math.round(count / (cpuMs / 1_000)) : 0;
    console.log([entrance.padEnd(18), String(count).padStart(9), String(refused).padStart(9), String(longestMs).padStart(12), String(rate).padStart(23), String(findings.length).padStart(10)].join(' '));
  }
}
