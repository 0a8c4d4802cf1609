// The built controller against the embedded Kubernetes API and the Azure simulator, each a process of its own: time from an apply to all Ready,
// processor time, memory, requests; a restart; edits during a resync; requests at rest; one namespace beside a crowded one.
//
//   node bench/controller.mjs [--objects 1000] [--speed 1] [--kubernetes embedded|real] [--output json]        after `npm run make`
//
//   --parts LIST         ready,restart,quiet,edited,edits,storm,period (default: all; `ready` makes the objects that the others look at,
//                        `period` has servers of its own, in which an hour takes a minute)
//   --subscriptions N    among which the teams are spread, one principal each (default 4)
//   --crds used|all      CRDs of the kinds in use, or of all kinds of the catalog (default used)
//   --memory MIB         the controller's memory limit: three quarters are for its heap (default 256)
//   --rest-seconds N --edits N --rest-objects N --storm-objects N --probes N
//   --node-flags=TEXT    of the controller's Node, e.g. '--cpu-prof --cpu-prof-dir=/some/where'
//   --controller-log F   what the controller says
//   --requests F         every request to Azure until all are Ready, a line of JSON each
//   --program F          another build of the controller
//
// Progress goes to the standard error. With --speed N so many of Azure's seconds pass in one: for a quick look, the numbers are distorted.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { fail, needBuild, report } from './shared/bench.mjs';

const text = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    'objects': text(1000),
    'speed': text(1),
    'kubernetes': text('embedded'),
    'parts': text('ready,restart,quiet,edited,edits,storm,period'),
    'subscriptions': text(4),
    'crds': text('used'),
    'memory': text(256),
    'rest-seconds': text(60),
    'edits': text(180),
    'rest-objects': text(1200),
    'storm-objects': text(2000),
    'probes': text(15),
    'node-flags': text(''),
    'controller-log': { type: 'string' },
    'requests': { type: 'string' },
    'program': { type: 'string' },
    'output': text('table'),
  },
});
const number = (name, whole = true) => {
  const value = Number(values[name]);
  if (!(value > 0) || (whole && !Number.isInteger(value))) fail(`--${name} ${values[name]}: give a ${whole ? 'whole ' : ''}number greater than 0`);
  return value;
};
const oneOf = (name, ...allowed) => (allowed.includes(values[name]) ? values[name] : fail(`--${name} ${values[name]}: give ${allowed.join(' or ')}`));
needBuild(['lib/controller/main.js']);

const began = Date.now();
const rows = [];
const { run, PARTS } = await tsImport('./controller/run.ts', import.meta.url);
const parts = values.parts.split(',');
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) fail(`--parts ${unknown}: give some of ${PARTS.join(', ')}`);
const speed = number('speed', false);
const options = {
  objects: number('objects'),
  subscriptions: number('subscriptions'),
  kubernetes: oneOf('kubernetes', 'embedded', 'real'),
  crds: oneOf('crds', 'used', 'all'),
  speed,
  memory: number('memory'),
  parts,
  restSeconds: number('rest-seconds'),
  edits: number('edits'),
  restObjects: number('rest-objects'),
  stormObjects: number('storm-objects'),
  probes: number('probes'),
  nodeFlags: values['node-flags'].split(/\s+/).filter(Boolean),
  controllerLog: values['controller-log'],
  requestsFile: values.requests,
  program: values.program,
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
let error;
try {
  await run({
    ...options,
    say: (line) => console.error(`${((Date.now() - began) / 1000).toFixed(1)} s  ${line}`),
    onRows: (more) => {
      rows.push(...more);
      for (const { what, value } of more) console.error(`    ${what}: ${value}`);
    },
  });
} catch (caught) {
  error = caught;
}
if (rows.length > 0) {
  report({
    json: oneOf('output', 'table', 'json') === 'json',
    title: `The controller, ${options.objects} objects, ${options.kubernetes} Kubernetes API, Azure's time × ${speed}, single run`,
    rows: rows.map(({ what, value, aim = '' }) => ({ what, value, aim })),
  });
}
if (error) fail(error.message);
process.exit();
