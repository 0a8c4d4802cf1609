// Is anything lost, or made twice, when the controller dies at any moment? Applies a tree of objects in the sandbox, kills the controller (-9) at
// random moments and starts it again at once; afterwards looks at every object, at what Azure was asked and has, and at what was exported; then
// deletes everything, with more kills. The moments are requests of the controller (a part of them never arrives), so that a seed gives the same ones.
//
//   node scripts/kill-nine.mjs [--objects 500] [--kills 50] [--deletion-kills 10] [--slow-lists 0] [--life N] [--seed N] [--real] [--program FILE] [--quiet]
//   node scripts/kill-nine.mjs --kills 900 --deletion-kills 100 --slow-lists 1500 --life 12         a thousand, with lists that are late by up to 1.5 s
//
// after `npm run make`. `--slow-lists`: so many milliseconds lists of Kubernetes come late, or are refused, at most; each life of the controller has
// others. `--life`: the longest life, in requests; many kills need short ones, since everything is done after some. One namespace is under
// `detach-on-delete`, one under `skip`, which only the list of Namespaces tells.
//
// Prints a line for each loss, a table, then `N passed, N failed`: the one check. Exit status 0 when nothing was lost.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const { values } = parseArgs({
  options: {
    'objects': { type: 'string', default: '500' },
    'kills': { type: 'string', default: '50' },
    'deletion-kills': { type: 'string', default: '10' },
    'slow-lists': { type: 'string', default: '0' },
    'life': { type: 'string', default: '0' },
    'seed': { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    'real': { type: 'boolean', default: false },
    'program': { type: 'string' },
    'quiet': { type: 'boolean', default: false },
  },
});
const [objects, kills, deletionKills, slowListsMs, life, seed] = ['objects', 'kills', 'deletion-kills', 'slow-lists', 'life', 'seed'].map((name) => {
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
const run = await runKills({ objects, kills, deletionKills, slowListsMs, longestLife: life || undefined, seed, on, program: values.program, say });
const { losses, againstPolicies, lists, doneAtKill, goneAtKill, memory, requests } = run;
for (const loss of losses) console.log(loss);
const fewer = doneAtKill.length < kills || goneAtKill.length < deletionKills;
if (fewer) console.log(`everything was done before the last kill: ${doneAtKill.length} of ${kills} and ${goneAtKill.length} of ${deletionKills} took place`);
console.log(`${Math.round((Date.now() - began) / 1000)} s; the controller: ${memory.resident} MiB resident, ${memory.most} at most; requests to Azure: ${JSON.stringify(requests)}`);
const twice = losses.filter((loss) => /was (created|sent) (?!0)\d+ times/.test(loss)).length;
const cells = [
  ['objects', objects], ['kills', `${doneAtKill.length} + ${goneAtKill.length}`], ['lists late', lists.delayed], ['lists refused', lists.refused],
  ['made twice', twice], ['against a policy', againstPolicies.length], ['lost or wrong', losses.length - twice - againstPolicies.length],
];
for (const row of [cells.map(([name]) => name), cells.map(() => '---'), cells.map(([, value]) => value)]) console.log(`| ${row.join(' | ')} |`);
console.log(losses.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = losses.length === 0 ? 0 : 1;
