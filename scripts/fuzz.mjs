#!/usr/bin/env node
// Mutated manifests, Azure answers, CRDs, Secrets and reviews through every entrance: does anything crash, or take longer than 100 ms?
//
//   node scripts/fuzz.mjs [--inputs 1000000] [--seed 1] [--jobs 2] [--entrance NAME] [--output table|json]
//
// The inputs are divided among the entrances, more for those that are quick. Seed, entrance and index give the same input again:
//
//   node scripts/fuzz.mjs --entrance convert --from 4711 --inputs 1 --seed 1
//
// What is found is printed with its input. Exit status 0 when nothing was found.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const text = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: { inputs: text(1_000_000), seed: text(1), jobs: text(2), from: text(0), entrance: { type: 'string' }, output: text('table'), child: { type: 'boolean', default: false } },
});
const number = (name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`--${name} ${values[name]}: give a whole number`);
  process.exit(2);
};
const [inputs, seed, jobs, from] = ['inputs', 'seed', 'jobs', 'from'].map(number);

/** Inputs that one process takes before the next one begins. */
const BATCH = 2_000;
/** Entrances that print or draw take a part of the inputs that the others take. */
const SLOW = { 'check': 0.2, 'convert': 0.1, 'graph': 0.1, 'diff': 0.1, 'import-crds': 0.1 };
/** A process that has said nothing for so long hangs. */
const SILENCE_MS = 60_000;

if (values.child) await child();
else await parent();

async function child() {
  const { ENTRANCES } = await tsImport('../test/fuzz/entrances/index.ts', import.meta.url);
  const { fuzz } = await tsImport('../test/fuzz/fuzz.ts', import.meta.url);
  const entrance = ENTRANCES.find(({ name }) => name === values.entrance);
  const tally = await fuzz(entrance, {
    seed, from, count: inputs, onProgress: (index) => index % 50 === 0 && process.stdout.write(`${JSON.stringify({ at: index })}\n`),
  });
  process.stdout.write(`${JSON.stringify(tally)}\n`);
}

async function parent() {
  const { ENTRANCES } = await tsImport('../test/fuzz/entrances/index.ts', import.meta.url);
  const names = ENTRANCES.map(({ name }) => name).filter((name) => !values.entrance || name === values.entrance);
  if (names.length === 0) {
    console.error(`--entrance ${values.entrance}: give one of ${ENTRANCES.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const whole = names.reduce((sum, name) => sum + (SLOW[name] ?? 1), 0);
  const batches = names.flatMap((name) => batchesOf(name, Math.ceil((inputs * (SLOW[name] ?? 1)) / whole)));
  const tallies = new Map(names.map((entrance) => [entrance, { entrance, inputs: 0, refused: 0, longestMs: 0, findings: [] }]));
  const began = Date.now();
  let done = 0;
  const worker = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const tally = await run(batch);
      const sum = tallies.get(batch.entrance);
      sum.inputs += tally.inputs;
      sum.refused += tally.refused;
      sum.longestMs = Math.max(sum.longestMs, Math.round(tally.longestMs));
      sum.findings.push(...tally.findings);
      done += tally.inputs;
      for (const { index, what } of tally.findings) console.error(`${batch.entrance} ${index}: ${what.split('\n').slice(0, 3).join(' | ')}`);
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${inputs}, ${Math.round((Date.now() - began) / 1000)} s `);
    }
  };
  await Promise.all(Array.from({ length: Math.max(jobs, 1) }, worker));
  const all = [...tallies.values()];
  const found = all.reduce((sum, { findings }) => sum + findings.length, 0);
  if (values.output === 'json') console.log(JSON.stringify(all, null, 2));
  else {
    console.log('entrance             inputs   refused   longest ms   findings');
    for (const row of all) {
      const cells = [row.entrance.padEnd(18), String(row.inputs).padStart(9), String(row.refused).padStart(9), String(row.longestMs).padStart(12), String(row.findings.length).padStart(10)];
      console.log(cells.join(' '));
    }
  }
  console.log(`${done} inputs, seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s`);
  console.log(found === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
  process.exitCode = found === 0 ? 0 : 1;
}

function batchesOf(entrance, count) {
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, index) => ({ entrance, from: from + index * BATCH, count: Math.min(BATCH, count - index * BATCH) }));
}

/** One batch in a process of its own; a hang, or the end of the process, is a finding at the last index that it told. */
function run({ entrance, from: first, count }) {
  return new Promise((resolve) => {
    const args = [fileURLToPath(import.meta.url), '--child', '--entrance', entrance, '--from', String(first), '--inputs', String(count), '--seed', String(seed)];
    const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let last = first;
    let tally;
    let errors = '';
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => process_.kill('SIGKILL'), SILENCE_MS);
    };
    alive();
    process_.stderr.on('data', (data) => (errors = `${errors}${data}`.slice(-2_000)));
    createInterface({ input: process_.stdout }).on('line', (line) => {
      alive();
      const told = JSON.parse(line);
      if ('at' in told) last = told.at;
      else tally = told;
    });
    process_.once('close', (code, signal) => {
      clearTimeout(timer);
      const what = signal === 'SIGKILL' ? `hangs within the 50 inputs after ${last}` : `the process ended (${signal ?? code}) within the 50 inputs after ${last}: ${errors}`;
      resolve(tally ?? { entrance, inputs: count, refused: 0, longestMs: SILENCE_MS, findings: [{ entrance, index: last, what }] });
    });
  });
}
