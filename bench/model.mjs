// A model past this machine: what a fleet of clusters needs while all its objects are made and at rest, and the limits that come first.
//
//   node bench/model.mjs [--objects 1000000] [--clusters 100] [--replicas 3] [--subscriptions 1000] [--objects-per-namespace 33]
//                        [--sync-period-hours 1] [--critical-path 137] [--memory 512] [--output json]
//
// --critical-path is the longest chain in seconds (`cdk8s-aso graph`), --memory the memory limit of a replica in MiB. The rates are in
// bench/model/rates.ts, the runs to which they are fitted in bench/model/runs.ts.
import { tsImport } from 'tsx/esm/api';
import { optionsOf, report } from './shared/bench.mjs';

const [{ MILLION }, { rowsOf }] = await Promise.all(['fleet', 'report'].map((name) => tsImport(`./model/${name}.ts`, import.meta.url)));
const { json, ...numbers } = optionsOf({
  'objects': MILLION.objects,
  'clusters': MILLION.clusters,
  'replicas': MILLION.replicas,
  'subscriptions': MILLION.subscriptions,
  'objects-per-namespace': MILLION.objectsPerNamespace,
  'sync-period-hours': MILLION.syncPeriodHours,
  'critical-path': MILLION.criticalPathSeconds,
  'memory': 512,
});
report({
  json,
  title: `${numbers.objects} objects in ${numbers.clusters} clusters, ${numbers.subscriptions} subscriptions`,
  rows: rowsOf({
    objects: numbers.objects,
    clusters: numbers.clusters,
    replicas: numbers.replicas,
    subscriptions: numbers.subscriptions,
    objectsPerNamespace: numbers['objects-per-namespace'],
    syncPeriodHours: numbers['sync-period-hours'],
    criticalPathSeconds: numbers['critical-path'],
  }, numbers.memory),
});
process.exit();
