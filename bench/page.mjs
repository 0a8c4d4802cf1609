// Time and memory of `cdk8s-aso ui` on a cluster of many objects: the embedded Kubernetes API in this process, the CLI and Chromium as
// processes of their own. The objects are those of bench/status.mjs.
//
//   node bench/page.mjs [--objects 5000] [--runs 3] [--json]        after `npm run make`; needs Chromium on the PATH
import { tsImport } from 'tsx/esm/api';
import { median, needBuild, optionsOf, report, round } from './shared/bench.mjs';

const { objects, runs, json } = optionsOf({ objects: 5000, runs: 3 });
needBuild(['lib/cli/main.js', 'lib/page/page.js']);
const { measurePage } = await tsImport('./page/run.ts', import.meta.url);
const samples = await measurePage(objects, runs);
const of = (member) => round(median(samples.map((sample) => sample[member])));
report({
  json,
  title: `cdk8s-aso ui, ${objects} objects, median of ${runs} runs`,
  rows: [
    { what: 'start to the first complete page, ms', value: of('startMs') },
    { what: 'load to first paint, ms', value: of('firstPaintMs') },
    { what: 'load to all objects, ms', value: of('objectsMs') },
    { what: 'a key of the search to the result, ms', value: of('searchMs') },
    { what: 'a change in the cluster to the page, ms', value: of('changeMs') },
    { what: 'JavaScript heap of the browser, MiB', value: of('heapMiB') },
    { what: 'memory of the server, MiB', value: of('serverMiB') },
    { what: 'processor of the server in ten idle seconds, ms', value: of('idleCpuMs') },
  ],
});
