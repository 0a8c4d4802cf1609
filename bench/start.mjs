// Start and idle memory of the built controller, as a pod runs it: from the start of the process until /readyz answers 200, and what the
// process holds when it has nothing to do. The Kubernetes API is embedded, in a process of its own; there are no objects.
//
//   node bench/start.mjs [--rounds 10] [--kinds 10] [--idle-seconds 60] [--memory 256] [--output json]        after `npm run make`
//
//   --kinds N            kinds that it reconciles
//   --idle-seconds N     rest before memory is read, in each round
//   --memory MIB         the controller's memory limit: three quarters are for its heap
//
// The Node that runs this runs the controller too. Progress goes to the standard error.
import { tsImport } from 'tsx/esm/api';
import { fail, median, needBuild, optionsOf, report, round } from './shared/bench.mjs';

const { rounds, kinds, 'idle-seconds': idleSeconds, memory, json } = optionsOf({ 'rounds': 10, 'kinds': 10, 'idle-seconds': 60, 'memory': 256 });
needBuild(['lib/controller/main.js']);
const { run } = await tsImport('./start/run.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
const taken = [];
try {
  await run({ rounds, kinds, idleSeconds, memory, onRound: (one) => {
    taken.push(one);
    console.error(`round ${taken.length}: ${JSON.stringify(one)}`);
  } });
} catch (error) {
  fail(error.message);
}
const row = (what, value, digits) => {
  const values = taken.map(value);
  return { what, median: round(median(values), digits), least: round(Math.min(...values), digits), most: round(Math.max(...values), digits) };
};
report({
  json,
  title: `Start and rest of the controller, ${kinds} kinds, no objects, ${rounds} rounds`,
  rows: [
    row('until /healthz answers 200, ms', (one) => one.healthyMs, 0),
    row('until /readyz answers 200, ms', (one) => one.readyMs, 0),
    row('until it reconciles (as the leader), ms', (one) => one.startedMs, 0),
    row(`resident memory after ${idleSeconds} s, MiB`, (one) => one.residentMiB, 0),
    row('… the most until then, MiB', (one) => one.peakMiB, 0),
    row('… of it the heap in use, MiB', (one) => one.heapMiB, 0),
    row('processor time of the start, s', (one) => one.startCpuSeconds, 2),
    row('processor time at rest, cores', (one) => one.idleCores, 4),
  ],
});
process.exit();
