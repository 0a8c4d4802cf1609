// Claims of `kind: Team` and `kind: Service` on a real kube-apiserver: the built composer with its own rights, the built controller, the
// sandbox's Azure, guard rails on, and each service applied as a user of its team. For comparison, the same objects are applied to another
// such cluster without claims.
//
//   node bench/claims.mjs [--teams 50] [--services 500] [--speed 20] [--json]        after `npm run make` and `node scripts/real-kubernetes.mjs`
import { tsImport } from 'tsx/esm/api';
import { needBuild, optionsOf, report } from './shared/bench.mjs';

const { teams, services, speed, json } = optionsOf({ teams: 50, services: 500, speed: 20 });
needBuild(['lib/cli/main.js', 'lib/controller/main.js', 'lib/composer/main.js', 'lib/sandbox/main.js']);
const { measureClaims } = await tsImport('./claims/run.ts', import.meta.url);
const say = (line) => process.stderr.write(`${line}\n`);
report({
  json,
  title: `${teams} teams and ${services} services, ${speed} of Azure's seconds in one`,
  rows: await measureClaims({ teams, services, speed, say }),
});
