// Several replicas of the built controller that share the namespaces (`--shards auto`), on a Kubernetes API and the Azure simulator: time to
// Ready, memory and processor time of each, requests, bytes of the API server; and kill -9 of one replica in the middle: how long its objects
// are looked after by nobody, and whether anything was sent twice.
//
//   node bench/shards.mjs [--objects 50000] [--replicas 3] [--speed 20] [--subscriptions 100] [--kubernetes embedded|real] [--json]
//
//   --kill N             a replica is killed when so many percent are Ready; 0: none (default 40)
//   --memory MIB         the memory limit of each replica (default 512)
//   --logs DIRECTORY     what the replicas say, a file each, and all requests to Azure (requests.ndjson)
//
// After `npm run make` and, for `real`, `node scripts/real-kubernetes.mjs`. Progress goes to the standard error.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { fail, needBuild, report } from './shared/bench.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '50000' },
    replicas: { type: 'string', default: '3' },
    speed: { type: 'string', default: '20' },
    subscriptions: { type: 'string', default: '100' },
    kill: { type: 'string', default: '40' },
    memory: { type: 'string', default: '512' },
    kubernetes: { type: 'string', default: 'real' },
    logs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const number = (name) => {
  const value = Number(values[name]);
  return value >= 0 && Number.isFinite(value) ? value : fail(`--${name} ${values[name]}: give a number`);
};
if (!['embedded', 'real'].includes(values.kubernetes)) fail(`--kubernetes ${values.kubernetes}: give embedded or real`);
needBuild(['lib/controller/main.js']);
const { measureShards } = await tsImport('./shards/run.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
const began = Date.now();
const options = {
  objects: number('objects'),
  replicas: number('replicas'),
  speed: number('speed'),
  subscriptions: number('subscriptions'),
  killPercent: number('kill'),
  memory: number('memory'),
  kubernetes: values.kubernetes,
  logs: values.logs,
  say: (line) => console.error(`${((Date.now() - began) / 1000).toFixed(1)} s  ${line}`),
};
report({
  json: values.json,
  title: `${options.objects} objects, ${options.replicas} replicas, ${options.kubernetes} Kubernetes API, Azure's time × ${options.speed}, single run`,
  rows: await measureShards(options),
});
process.exit();
