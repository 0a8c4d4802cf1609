// The built controller under CAPZ: clusters of Cluster API are made, paused, unpaused, left alone and deleted; time, requests to Azure, processor
// time and memory of each step. Fifteen Azure objects a cluster, with networks and five pools.
//
//   node bench/capz.mjs [--clusters 100] [--speed 60] [--memory 256] [--output json]        after `npm run make`
//
// So many of Azure's seconds pass in one (--speed). Progress goes to the standard error.
import { tsImport } from 'tsx/esm/api';
import { needBuild, optionsOf, report } from './shared/bench.mjs';

const { clusters, speed, memory, json } = optionsOf({ clusters: 100, speed: 60, memory: 256 });
needBuild(['lib/controller/main.js']);
const { measureCapz } = await tsImport('./capz/run.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
const began = Date.now();
const rows = await measureCapz({
  clusters, speed, memory, say: (line) => console.error(`${((Date.now() - began) / 1000).toFixed(1)} s  ${line}`),
});
report({ json, title: `CAPZ, ${clusters} clusters of 15 Azure objects, Azure's time × ${speed}, single run`, rows });
process.exit();
