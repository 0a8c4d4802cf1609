// An hour of churn and faults: teams come and go, objects are edited, watches end every 20 s and are answered 410, connections to the Kubernetes
// API are cut, Azure throttles, fails and loses answers. Memory and sockets of the built controller must be flat, and at the end nothing may be missed.
//
//   node bench/soak.mjs [--minutes 60] [--objects 300] [--kubernetes embedded|real] [--output json]        after `npm run make`
//
//   --speed N           so many of Azure's seconds pass in one (default 10)
//   --interval N        seconds between two samples (default 30)
//   --sync-seconds N    the controller's sync period (default 120)
//   --memory MIB --seed N --controller-log FILE
//
// Progress goes to the standard error. Exit status 1 when something grows or was missed.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { fail, median, needBuild, report, round } from './shared/bench.mjs';

const text = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    'minutes': text(60),
    'objects': text(300),
    'kubernetes': text('embedded'),
    'speed': text(10),
    'interval': text(30),
    'sync-seconds': text(120),
    'memory': text(256),
    'seed': text(1),
    'controller-log': { type: 'string' },
    'output': text('table'),
  },
});
const number = (name) => (Number(values[name]) > 0 ? Number(values[name]) : fail(`--${name} ${values[name]}: give a number greater than 0`));
const oneOf = (name, ...allowed) => (allowed.includes(values[name]) ? values[name] : fail(`--${name} ${values[name]}: give ${allowed.join(' or ')}`));
const json = oneOf('output', 'table', 'json') === 'json';
const options = {
  minutes: number('minutes'),
  objects: number('objects'),
  kubernetes: oneOf('kubernetes', 'embedded', 'real'),
  speed: number('speed'),
  interval: number('interval'),
  syncSeconds: number('sync-seconds'),
  memory: number('memory'),
  seed: number('seed'),
  controllerLog: values['controller-log'],
};
needBuild(['lib/controller/main.js']);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const began = Date.now();
const { soak } = await tsImport('./soak/run.ts', import.meta.url);
const { samples, trends, missed, done, requests } = await soak({ ...options, say: (line) => console.error(`${((Date.now() - began) / 1000).toFixed(0)} s  ${line}`) })
  .catch((error) => fail(error.message));

const MOST_ROWS = 20;
const step = Math.max(1, Math.ceil(samples.length / MOST_ROWS));
report({
  json,
  title: `Soak, ${options.minutes} min, about ${options.objects} objects, ${options.kubernetes} Kubernetes API, Azure's time × ${options.speed}`,
  rows: samples.filter((_, at) => at % step === step - 1 || at === samples.length - 1).map(({ minute, objects, ready, residentMiB, heapMiB, files, sockets, lags }) => ({
    'minute': round(minute, 1),
    objects,
    ready,
    'resident MiB': round(residentMiB),
    'heap MiB': round(heapMiB, 1),
    files,
    sockets,
    'edit to Ready, median ms': lags.length > 0 ? round(median(lags)) : undefined,
  })),
  more: {
    ...Object.fromEntries(trends.map(({ what, mean, perHour, flat }) => [what, `${round(mean, 1)}, ${perHour < 0 ? '' : '+'}${round(perHour, 1)} an hour: ${flat ? 'flat' : 'GROWS'}`])),
    'objects made, edited, deleted': `${done.created}, ${done.edited}, ${done.deleted}`,
    'ARM requests': requests,
    'missed': missed.length === 0 ? 'nothing' : missed,
  },
});
const good = missed.length === 0 && trends.every(({ flat }) => flat);
if (!json) console.log(`verdict: ${good ? 'flat, and nothing missed' : 'NOT good'}`);
process.exit(good ? 0 : 1);
