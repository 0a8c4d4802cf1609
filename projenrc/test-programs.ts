import { github } from 'projen';
import type { Job, JobStep } from 'projen/lib/github/workflows-model';
import { READ_ONLY, RUNNER, withNode } from './jobs';

/** projen has no reference to this action. v6.1.0; the commit is the tag's. */
const CACHE = '55cc8345863c7cc4c66a329aec7e433d2d1c52a9';

/** Where `scripts/go-build` writes: `XDG_CACHE_HOME` is not set on GitHub's runners. */
const DIRECTORY = '~/.cache/cdk8s-aso';
/** Everything that decides what is built. */
const SOURCES = [
  'test/e2e/kubernetes-build/go.*',
  'test/gitops/evaluators/**',
  'scripts/go-build/**',
  'scripts/real-kubernetes.mjs',
  'scripts/gitops-evaluators.mjs',
  'scripts/object-meta-validator.mjs',
];
/** Another number builds the programs anew, for example to get a newer promtool. */
const EDITION = 1;

const ENTRY = {
  path: DIRECTORY,
  key: `test-programs-${EDITION}-\${{ runner.os }}-\${{ runner.arch }}-\${{ hashFiles(${SOURCES.map((glob) => `'${glob}'`).join(', ')}) }}`,
};
const SETUP_GO: JobStep = {
  name: 'Setup Go', uses: github.ActionRefs.ACTIONS_SETUP_GO, with: { 'go-version': 'stable', 'cache': false },
};
const ON_A_MISS = "steps.cached.outputs.cache-hit != 'true'";

/** Builds what the cache lacks: ten minutes where a Go module has changed, else nothing. */
export const TEST_PROGRAMS_JOB: Job = {
  name: 'programs for tests',
  runsOn: RUNNER,
  permissions: READ_ONLY,
  timeoutMinutes: 45,
  steps: [
    ...withNode(),
    { id: 'cached', name: 'Look into the cache', uses: `actions/cache/restore@${CACHE}`, with: { ...ENTRY, 'lookup-only': true } },
    { ...SETUP_GO, if: ON_A_MISS },
    { name: 'Build a Kubernetes API server', if: ON_A_MISS, run: 'node scripts/real-kubernetes.mjs' },
    { name: 'Build the health checks of Argo CD and Flux', if: ON_A_MISS, run: 'node scripts/gitops-evaluators.mjs' },
    { name: "Build the API server's validation of metadata", if: ON_A_MISS, run: 'node scripts/object-meta-validator.mjs' },
    {
      name: 'Download promtool',
      if: ON_A_MISS,
      // Installing the package would start a Prometheus. apt checks the signature of what it downloads.
      run: [
        'cd "$RUNNER_TEMP"',
        'sudo apt-get update',
        'apt-get download prometheus',
        'dpkg-deb --extract prometheus_*.deb prometheus',
        `install -D prometheus/usr/bin/promtool ${DIRECTORY}/promtool/promtool`,
      ].join('\n'),
    },
    { name: 'Save', if: ON_A_MISS, uses: `actions/cache/save@${CACHE}`, with: ENTRY },
  ],
};

/**
 * Takes the programs from the cache. A job that does not find them fails: suites that need them would be skipped. Saving does not tell, for
 * it only warns where it fails (https://github.com/actions/cache/issues/1189).
 */
export const RESTORE_TEST_PROGRAMS: JobStep[] = [
  { name: 'Restore the programs for tests', uses: `actions/cache/restore@${CACHE}`, with: { ...ENTRY, 'fail-on-cache-miss': true } },
  {
    name: 'Find the programs',
    run: [
      'node scripts/real-kubernetes.mjs --cached',
      'node scripts/gitops-evaluators.mjs --cached',
      'node scripts/object-meta-validator.mjs --cached',
      `${DIRECTORY}/promtool/promtool --version`,
      `echo ${DIRECTORY}/promtool >> "$GITHUB_PATH"`,
    ].join('\n'),
  },
  // test/engine/arm/azcore.test.ts builds its own program, in seconds.
  SETUP_GO,
];
