// A model past this machine: what a fleet of clusters needs while all its objects are made and at rest, and the limits that come first.
//
//   node bench/model.mjs [--objects 1000000] [--clusters 100] [--replicas 3] [--subscriptions 1000] [--objects-per-namespace 33]
//                        [--sync-period-hours 1] [--versions 1] [--critical-path 137] [--memory 512] [--output json]
//
// --versions is how many versions the CRD of a kind serves, --critical-path the seconds of the longest chain (`cdk8s-aso graph`), --memory
// the memory limit of a replica in MiB. The rates are measured: bench/model/rates.ts; bench/model/runs.ts has the runs that check them.
import { tsImport } from 'tsx/esm/api';
import { optionsOf, report } from './shared/bench.mjs';

const { json, ...numbers } = optionsOf({
  'objects': 1_000_000, 'clusters': 100, 'replicas': 3, 'subscriptions': 1_000, 'objects-per-namespace': 33, 'sync-period-hours': 1,
  'versions': 1, 'critical-path': 137, 'memory': 512,
});
const { rowsOf } = await tsImport('./model/report.ts', import.meta.url);
report({
  json,
  title: `${numbers.objects} objects in ${numbers.clusters} clusters, ${numbers.replicas} replicas in each, ${numbers.subscriptions} subscriptions`,
  rows: rowsOf({
    objects: numbers.objects,
    clusters: numbers.clusters,
    replicas: numbers.replicas,
    subscriptions: numbers.subscriptions,
    objectsPerNamespace: numbers['objects-per-namespace'],
    syncPeriodHours: numbers['sync-period-hours'],
    versions: numbers.versions,
    criticalPathSeconds: numbers['critical-path'],
  }, numbers.memory),
});
process.exit();
