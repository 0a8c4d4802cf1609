import type { cdk } from 'projen';
import type { Job } from 'projen/lib/github/workflows-model';
import { BUILD_NODE, OTHER_NODES, READ_ONLY, RUNNER, withNode } from './jobs';
import { FIRST_JOBS, jobOnBuild } from './test-jobs';
import { RESTORE_TEST_PROGRAMS } from './test-programs';

/** The compiler of users: the build and the other checks have the faster TypeScript 7. */
const TSC = 'node node_modules/typescript/bin/tsc --noEmit -p';

/** Everything that a pull request leaves out, and everything that it runs on one Node alone (docs/workflows.md). */
export function addNightly(project: cdk.JsiiProject): void {
  const nightly = project.github!.addWorkflow('nightly');
  // Not at a full hour, when GitHub's queue is long.
  nightly.on({ schedule: [{ cron: '23 2 * * *' }], workflowDispatch: {} });
  nightly.addJobs({
    ...FIRST_JOBS,
    everything: everythingOnEachNode(),
    types: jobOnBuild(
      'types with TypeScript 6', 15, ['packages', 'examples', 'page'].map((name) => `${TSC} tsconfig.${name}.json`).join('\n'),
    ),
    // Other jobs run its rules with oxlint, which is three times as fast.
    eslint: jobOnBuild('ESLint', 15, 'npx projen eslint'),
    simulation: simulation(),
    mutants: jobOnBuild('mutants', 120, 'npx projen mutants'),
  });
}

/**
 * Builds on each Node as well: the result of `compile` is not fresh for another one. `NIGHTLY` adds the cases that `.ci/run` leaves to the
 * night.
 */
function everythingOnEachNode(): Job {
  return {
    name: 'everything on Node ${{ matrix.node }}',
    needs: ['programs'],
    runsOn: RUNNER,
    permissions: READ_ONLY,
    timeoutMinutes: 240,
    env: { NIGHTLY: '1' },
    strategy: { failFast: false, matrix: { domain: { node: [...OTHER_NODES, BUILD_NODE] } } },
    steps: [...withNode('${{ matrix.node }}'), ...RESTORE_TEST_PROGRAMS, { name: 'Run all checks', run: '.ci/run' }],
  };
}

/** Other seeds each night: a run that is started again has the number, and so the seeds, of the first. */
function simulation(): Job {
  const command = 'npx tsx test/simulation/run.ts --from $((GITHUB_RUN_NUMBER * 10000)) --jobs $(nproc) ${{ matrix.seeds }}';
  return {
    ...jobOnBuild('simulation ${{ matrix.seeds }}', 180, command),
    strategy: { failFast: false, matrix: { domain: { seeds: ['--seeds 10000', '--shards --seeds 1000'] } } },
  };
}
