// Time and memory of `cdk8s-aso status` on a cluster of many objects: the embedded Kubernetes API in this process, the CLI as a process of its
// own. Half of the resource groups are Ready with what they own; of the others, each has an error, and what it owns waits for it.
//
//   node bench/status.mjs [--objects 5000] [--runs 5] [--json]        after `npm run make`
import { tsImport } from 'tsx/esm/api';
import { median, needBuild, optionsOf, report, round } from './shared/bench.mjs';

const { objects, runs, json } = optionsOf({ objects: 5000, runs: 5 });
needBuild(['lib/cli/main.js']);
const { measureStatus } = await tsImport('./status/run.ts', import.meta.url);
const cases = await measureStatus(objects, runs);
report({
  json,
  title: `cdk8s-aso status, ${objects} objects, median of ${runs} runs`,
  rows: cases.map(({ name, samples }) => ({
    'what': name,
    'first paint ms': round(median(samples.map(({ firstPaintMs }) => firstPaintMs))),
    'processor ms': round(median(samples.map(({ cpuMs }) => cpuMs))),
    'memory MiB': round(median(samples.map(({ memoryMiB }) => memoryMiB))),
  })),
});
