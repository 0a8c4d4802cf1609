// Memory and received bytes of the built controller in a cluster with Secrets that no object uses.
//
//   node bench/secrets.mjs [--secrets 3000] [--kib 20] [--rounds 3] [--output json]        after `npm run make`
import { tsImport } from 'tsx/esm/api';
import { fail, median, needBuild, optionsOf, report, round } from './shared/bench.mjs';

const { secrets, kib, rounds, json } = optionsOf({ secrets: 3_000, kib: 20, rounds: 3 });
needBuild(['lib/controller/main.js']);
const { measureSecrets } = await tsImport('./secrets/run.ts', import.meta.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
const taken = await measureSecrets({ secrets, kib, rounds, say: (line) => console.error(line) }).catch((error) => fail(error.stack));
report({
  json,
  title: `The controller at rest, ${secrets} unused Secrets of ${kib} KiB, medians of ${rounds} rounds`,
  rows: [...taken].map(([what, all]) => {
    const of = (name, digits) => round(median(all.map((one) => one[name])), digits);
    return {
      what,
      'start, ms': of('startMs', 0),
      'resident, MiB': of('residentMiB', 0),
      'most resident, MiB': of('peakMiB', 0),
      'heap in use, MiB': of('heapMiB', 0),
      'received, MiB': of('receivedMiB', 1),
    };
  }),
});
process.exit();
