// Three ways to have all objects of a kind from a real kube-apiserver, and their costs: a list in pages, a list in one piece from the watch
// cache, and a watch that begins with all objects (`sendInitialEvents`).
//
//   node bench/lists.mjs [--objects 10000] [--rounds 3] [--output json]        after `npm run make` and `node scripts/real-kubernetes.mjs`
import { tsImport } from 'tsx/esm/api';
import { fail, median, optionsOf, report, round } from './shared/bench.mjs';

const { objects, rounds, json } = optionsOf({ objects: 10_000, rounds: 3 });
const { measureLists } = await tsImport('./lists/run.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
const taken = await measureLists({ objects, rounds, say: (line) => console.error(line) }).catch((error) => fail(error.stack));
report({
  json,
  title: `${objects} storage accounts from a kube-apiserver, medians of ${rounds} rounds`,
  rows: [...taken].map(([what, all]) => {
    const of = (name, digits) => round(median(all.map((one) => one[name])), digits);
    return {
      what,
      'until all are parsed, s': of('seconds', 2),
      'received, MiB': of('receivedMiB', 1),
      "API server's processor, s": of('serverSeconds', 2),
      'own processor, s': of('ownSeconds', 2),
    };
  }),
});
process.exit();
