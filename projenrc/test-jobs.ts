import { github, type cdk } from 'projen';
import type { Job, JobStep } from 'projen/lib/github/workflows-model';
import { INSTALL, OTHER_NODES, READ_ONLY, RUNNER, withNode } from './jobs';
import { RESTORE_TEST_PROGRAMS, TEST_PROGRAMS_JOB } from './test-programs';

/** Jobs that run the fast suites, and the slow ones: each takes about the same time. */
const FAST_SHARDS = 2;
const SLOW_SHARDS = 4;

/**
 * The suites in which the version of Node matters, for the versions on which a pull request does not run all of them. Each path is a suite,
 * or a directory of suites.
 */
const NODE_SUITES: Readonly<Record<string, string>> = {
  'test/project/version.test.ts': 'the bundled programs start',
  'test/scripts/bundled-undici.test.ts': 'the HTTP client in the bundles',
  'test/runtime': 'servers with TLS and certificates that change, signals, threads with shared memory',
  'test/engine/arm': 'HTTP of Azure: connections, time limits, bodies in parts',
  'test/engine/kubernetes': 'HTTP of Kubernetes: TLS, client certificates, credential plugins',
  'test/engine/informers': 'watches: streams that stay open, break and stall',
  'test/engine/credentials': 'tokens: files, keys, TLS',
  'test/engine/workers': 'worker threads with limits of time and memory',
  'test/composer/render': 'expressions of tenants in such threads',
  'test/controller/supervisor': 'the built controller: threads, signals, exit codes',
  'test/controller/process': 'start, settings, log, shutdown',
  'test/controller/databases/access': 'drivers of databases: sockets and TLS',
  'test/sandbox': 'HTTPS servers, streams of watches',
  'test/page/page-server.test.ts': 'compressed answers, events',
  'test/cli/command-line.test.ts': 'arguments and exit codes',
  'test/cli/manifests': 'every command reads files and the standard input',
  'test/cli/sandbox': 'the command that stays in the foreground',
  'test/cli/ui': 'the command that serves a page',
  'test/e2e/azure-sdk.test.ts': 'the Azure SDK',
  'test/e2e/failover.test.ts': 'two controllers, one of which dies',
  'test/e2e/import-to-ready.test.ts': 'CLI, controller and sandbox together',
  'test/e2e/secure-metrics.test.ts': 'metrics with TLS',
  'test/e2e/web-shop.test.ts': 'the example, from synth to Ready',
};

/** Tasks for jobs in which another one has built: they run suites and nothing else. */
export function addSuiteTasks(project: cdk.JsiiProject): void {
  const fast = project.tasks.tryFind('test:suites')!.steps.at(-1)!.exec!;
  project.addTask('test:fast', {
    description: 'Run the suites that are not slow; needs what make has written', exec: fast, receiveArgs: true,
  });
  project.addTask('test:node', {
    description: 'Run the suites in which the version of Node matters; needs what make has written',
    exec: [fast.replace(/ --filter=\S+/, ''), ...Object.keys(NODE_SUITES)].join(' '),
    receiveArgs: true,
  });
}

const BUILT = '"$RUNNER_TEMP/built.tgz"';
/** The build (`npx projen make`): everything that git does not have. A tar keeps permissions, which artifacts lose. */
const COMPILE_JOB: Job = {
  name: 'compile',
  runsOn: RUNNER,
  permissions: READ_ONLY,
  timeoutMinutes: 15,
  steps: [
    ...withNode(),
    INSTALL,
    { name: 'Build', run: 'npx projen make' },
    {
      name: 'Pack what git does not have',
      shell: 'bash',
      run: [
        'git ls-files --others --ignored --exclude-standard --directory',
        'grep -vx node_modules/',
        `tar -czf ${BUILT} --files-from -`,
      ].join(' | '),
    },
    github.WorkflowSteps.uploadArtifact({
      with: {
        name: 'built',
        path: '${{ runner.temp }}/built.tgz',
        compressionLevel: 0,
        retentionDays: 1,
        // Of the same job, run again.
        overwrite: true,
        ifNoFilesFound: 'error',
      },
    }),
  ],
};

/**
 * Takes over the result of the job `compile`, or builds where it cannot: jobs that run a second time do not always find an artifact of the
 * first (https://github.com/actions/download-artifact/issues/486).
 */
export const RESTORE_BUILD: JobStep[] = [
  {
    ...github.WorkflowSteps.downloadArtifact({ with: { name: 'built', path: '${{ runner.temp }}' } }),
    name: 'Download what compile has built',
    continueOnError: true,
  },
  { name: 'Unpack it', run: `if [ -f ${BUILT} ]; then tar -xzf ${BUILT}; else npx projen make; fi` },
];

/** The jobs that the others need. */
export const FIRST_JOBS = { programs: TEST_PROGRAMS_JOB, compile: COMPILE_JOB } satisfies Record<string, Job>;

/** A job that runs a command on what `compile` has built. */
export function jobOnBuild(name: string, timeoutMinutes: number, command: string, setUp = withNode()): Job {
  return {
    name,
    needs: ['compile'],
    runsOn: RUNNER,
    permissions: READ_ONLY,
    timeoutMinutes,
    steps: [...setUp, INSTALL, ...RESTORE_BUILD, { name: 'Run', run: command }],
  };
}

/** All suites on the Node that builds, the named ones on the others. Needs `FIRST_JOBS`. */
export function suiteJobs(): Record<string, Job> {
  return {
    fast: suiteJob('fast suites ${{ matrix.shard }}', 20, { shard: shards(FAST_SHARDS) }, 'test:fast --shard=${{ matrix.shard }}'),
    slow: suiteJob('slow suites ${{ matrix.shard }}', 30, { shard: shards(SLOW_SHARDS) }, 'test:slow --shard=${{ matrix.shard }}'),
    node: suiteJob('suites on Node ${{ matrix.node }}', 20, { node: OTHER_NODES }, 'test:node', '${{ matrix.node }}'),
  };
}

function shards(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
}

function suiteJob(name: string, timeoutMinutes: number, domain: Record<string, string[]>, task: string, node?: string): Job {
  return {
    ...jobOnBuild(name, timeoutMinutes, `npx projen ${task}`, [...withNode(node), ...RESTORE_TEST_PROGRAMS]),
    needs: Object.keys(FIRST_JOBS),
    strategy: { failFast: false, matrix: { domain } },
  };
}
