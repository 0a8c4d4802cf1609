// Is anything lost, or made twice, when the controller dies at any moment? Applies a tree of objects in the sandbox, kills the controller (-9) at
// random moments and starts it again at once; afterwards looks at every object, at what Azure was asked and has, and at what was exported; then
// deletes everything, with more kills. The moments are requests of the controller (a part of them never arrives), so that a seed gives the same ones.
//
//   node scripts/kill-nine.mjs [--objects 500] [--kills 50] [--deletion-kills 10] [--seed N] [--real] [--program FILE] [--quiet]     after `npm run make`
//
// Prints a line for each loss, then `N passed, N failed`: the one check. Exit status 0 when nothing was lost.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const { values } = parseArgs({
  options: {
    'objects': { type: 'string', default: '500' },
    'kills': { type: 'string', default: '50' },
    'deletion-kills': { type: 'string', default: '10' },
    'seed': { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    'real': { type: 'boolean', default: false },
    'program': { type: 'string' },
    'quiet': { type: 'boolean', default: false },
  },
});
const [objects, kills, deletionKills, seed] = ['objects', 'kills', 'deletion-kills', 'seed'].map((name) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} ${values[name]}: give a whole number`);
  process.exit(2);
});

const began = Date.now();
const say = (line) => values.quiet || console.log(`${((Date.now() - began) / 1000).toFixed(1)} s  ${line}`);
console.log(`${objects} objects, ${kills} and ${deletionKills} kills, seed ${seed}`);
const { runKills } = await tsImport('../test/e2e/kill/run.ts', import.meta.url);
const on = values.real ? 'real' : 'sandbox';
const { losses, doneAtKill, goneAtKill, memory, requests } = await runKills({ objects, kills, deletionKills, seed, on, program: values.program, say });
for (const loss of losses) console.log(loss);
const fewer = doneAtKill.length < kills || goneAtKill.length < deletionKills;
if (fewer) console.log(`everything was done before the last kill: ${doneAtKill.length} of ${kills} and ${goneAtKill.length} of ${deletionKills} took place`);
console.log(`${Math.round((Date.now() - began) / 1000)} s; the controller: ${memory.resident} MiB resident, ${memory.most} at most; requests to Azure: ${JSON.stringify(requests)}`);
console.log(losses.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = losses.length === 0 ? 0 : 1;
