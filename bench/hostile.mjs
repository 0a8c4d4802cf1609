// One namespace does its worst (expressions, certificates, names, lists of 10,000 entries, objects of nearly 1 MB, edited again and again): how
// quickly does health answer, and how quickly is another namespace's object Ready? And how long does a victim wait for requests of others
// that Azure refuses, throttles, or leaves without an answer?
//
//   node bench/hostile.mjs [--part all] [--objects 60] [--probes 20] [--memory 256] [--speed 1] [--output json]   after `npm run make`
//
//   --part all|edits|waits  which of the two (default all)
//   --only TEXT          of the waits those whose names contain the text
//   --memory MIB         the controller's memory limit: three quarters are for its heap (default 256)
//   --speed N            of Azure and of the controller's delays; above 1 a hostile object is tried again that much more often (default 1)
//   --controller-log F   what the controller says
//   --program F          another build of the controller
//
// Progress goes to the standard error.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { fail, needBuild, report } from './shared/bench.mjs';

const text = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: { 'objects': text(60), 'probes': text(20), 'memory': text(256), 'speed': text(1), 'controller-log': { type: 'string' }, 'program': { type: 'string' }, 'part': text('all'), 'only': { type: 'string' }, 'output': text('table') },
});
const [objects, probes, memory, speed] = ['objects', 'probes', 'memory', 'speed'].map((name) => {
  const value = Number(values[name]);
  return Number.isInteger(value) && value > 0 ? value : fail(`--${name} ${values[name]}: give a whole number greater than 0`);
});
if (!['table', 'json'].includes(values.output)) fail(`--output ${values.output}: give table or json`);
if (!['all', 'edits', 'waits'].includes(values.part)) fail(`--part ${values.part}: give all, edits or waits`);
needBuild(['lib/controller/main.js']);
const began = Date.now();
const { run } = await tsImport('./hostile/run.ts', import.meta.url);
const { waits } = await tsImport('./hostile/waits.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
try {
  const json = values.output === 'json';
  const say = (line) => console.error(`${((Date.now() - began) / 1000).toFixed(1)} s  ${line}`);
  const common = { probes, memory, speed, program: values.program, controllerLog: values['controller-log'], say };
  const told = (rows) => rows.map(({ what, value, aim = '' }) => ({ what, value, aim }));
  if (values.part !== 'waits') {
    report({ json, title: `One namespace with ${objects} hostile objects, single run`, rows: told(await run({ ...common, objects })) });
  }
  if (values.part !== 'edits') report({ json, title: 'Requests of others, single run', rows: told(await waits({ ...common, only: values.only })) });
} catch (error) {
  fail(error.message);
}
process.exit();
