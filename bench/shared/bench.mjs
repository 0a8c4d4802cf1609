// Shared by all benches: options, rounds in turns, medians, a table or JSON, the machine.
import { cpus } from 'node:os';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** `--output json` (or `--json`) and whole numbers such as `--rounds 5`. */
export function optionsOf(numbers) {
  const options = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, { type: 'string', default: String(value) }]));
  const { values } = parseArgs({ options: { ...options, output: { type: 'string', default: 'table' }, json: { type: 'boolean', default: false } } });
  const whole = Object.keys(numbers).map((name) => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 1) fail(`--${name} ${values[name]}: give a whole number, 1 or more.`);
    return [name, number];
  });
  if (!['table', 'json'].includes(values.output)) fail(`--output ${values.output}: give table or json.`);
  return { ...Object.fromEntries(whole), json: values.json || values.output === 'json' };
}

/** Ends with a hint where what is measured was not built. */
export function needBuild(files = ['lib/index.js', 'lib/cli/main.js']) {
  for (const file of files) if (!existsSync(`${root}/${file}`)) fail(`${file} is not there. Run: npm run make`);
}

/**
 * Runs every case once a round, in turns, so that whatever else the machine does falls on all of them; the first case is what the others are
 * compared with. A case answers a number, or numbers by name.
 */
export async function interleaved(cases, rounds) {
  const taken = new Map(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) for (const [name, run] of Object.entries(cases)) taken.get(name).push(await run());
  return taken;
}

/** Median, and median of the ratios to the first case in the same round: a slow round slows both, so the ratio is steadier than the times. */
export function compared(taken, value = (one) => one) {
  const base = [...taken.values()][0].map(value);
  return [...taken].map(([name, all]) => {
    const numbers = all.map(value);
    return { name, median: median(numbers), ratio: round(median(numbers.map((number, index) => number / base[index])), 2) };
  });
}

/** Milliseconds on the clock and of the processor. The latter hardly changes when other programs run beside this one. */
export function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpu: (user + system) / 1000 };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function round(number, digits = 0) {
  return Number(number.toFixed(digits));
}

/** `2 × AMD EPYC, Node v20.20.2` */
export const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}, Node ${process.version}`;

/** Prints rows as a table under a title, or everything as JSON. */
export function report({ json, title, rows, more = {} }) {
  if (json) {
    console.log(JSON.stringify({ title, machine, ...more, rows }, null, 2));
    return;
  }
  const columns = Object.keys(rows[0]);
  const text = (value) => (value === undefined ? '' : String(value));
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => text(row[column]).length)));
  const line = (cells, numeric) => cells.map((cell, at) => (numeric[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join('   ').trimEnd();
  const numeric = columns.map((column) => rows.some((row) => typeof row[column] === 'number'));
  console.log(`${title} (${machine})\n`);
  console.log(line(columns, numeric));
  for (const row of rows) console.log(line(columns.map((column) => text(row[column])), numeric));
  for (const [name, value] of Object.entries(more)) console.log(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
