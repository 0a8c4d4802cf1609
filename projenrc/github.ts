import { github, javascript, type cdk } from 'projen';
import type { Job, JobStep } from 'projen/lib/github/workflows-model';

const { JobPermission } = github.workflows;

/** The newest Node that is supported builds and publishes: npm's trusted publishing needs npm 11.5, which comes with it. */
export const BUILD_NODE = '24';
/** Every Node that is supported, from the oldest of `engines`: all suites run on each, for the build runs the fast ones alone. */
export const NODES = ['20.20.0', '22', BUILD_NODE];

/** The types of commits, which are those of pull request titles: a squashed pull request is one commit. */
const COMMIT_TYPES = ['feat', 'fix', 'perf', 'refactor', 'docs', 'test', 'bench', 'style', 'build', 'ci', 'chore'];

/** projen has no reference to CodeQL's actions. v4.37.9; the commit is the tag's. */
const CODEQL = 'cdf488f595d80d6e07e03d4674febd5ab45fa938';

const READ_ONLY = { contents: JobPermission.READ };

const SETUP_GO: JobStep = {
  name: 'Setup Go', uses: github.ActionRefs.ACTIONS_SETUP_GO, with: { 'go-version': 'stable', 'cache': false },
};

/** Programs for tests, which are built once from their Go modules. A machine without Go leaves these tests out. */
export const TEST_PROGRAMS: JobStep[] = [
  SETUP_GO,
  { name: 'Build a Kubernetes API server for the tests', run: 'node scripts/real-kubernetes.mjs' },
  { name: 'Build the health checks of Argo CD and Flux for the tests', run: 'node scripts/gitops-evaluators.mjs' },
];

/** Options of the project that make `.github/`, without the release. */
export const githubOptions = {
  github: true,
  githubOptions: {
    mergify: false,
    // A token of an app ends after an hour and has these rights alone; a pull request made with it starts the workflows.
    projenCredentials: github.GithubCredentials.fromApp({
      permissions: { contents: github.workflows.AppPermission.WRITE, pullRequests: github.workflows.AppPermission.WRITE },
    }),
    pullRequestLintOptions: { semanticTitleOptions: { types: COMMIT_TYPES } },
    dependencyReview: true,
    // Licences are checked by `licences`, which knows what is bundled and what only builds.
    dependencyReviewOptions: { failOnSeverity: 'moderate', licenseCheck: false, commentSummaryInPr: 'never' },
  },
  workflowNodeVersion: BUILD_NODE,
  buildWorkflowOptions: {
    // A build that changes a file of the repository fails, instead of committing a change without review.
    mutableBuild: false,
    permissions: READ_ONLY,
    preBuildSteps: TEST_PROGRAMS,
    workflowTriggers: { pullRequest: {}, mergeGroup: {}, push: { branches: ['main'] }, workflowDispatch: {} },
  },
  depsUpgrade: true,
  depsUpgradeOptions: {
    // A release with injected malware is mostly found within days.
    cooldown: 7,
    workflowOptions: { schedule: javascript.UpgradeDependenciesSchedule.WEEKLY, labels: ['dependencies'] },
  },
  pullRequestTemplateContents: [
    '<!-- The title becomes the commit: `type(scope): what changes for the reader`, at most 72 characters. -->',
    '',
    'Why:',
    '',
    '<!-- Fixes #123, or the reason in a sentence or two. -->',
    '',
    'How it was tried:',
    '',
    '<!-- The test that failed before, or the commands and what they printed. -->',
    '',
    '- [ ] A test fails without this change',
    '- [ ] `npm test` passes',
    '- [ ] The documents say what is true now; README.md and docs/ if users see a difference',
    '- [ ] No secret, subscription id or name of a customer is in the change or in the logs above',
  ],
} satisfies Partial<cdk.JsiiProjectOptions>;

/** Adds features that projen's workflows lack, and removes permissions that they do not need. Called last. */
export function completeGithub(project: cdk.JsiiProject): void {
  workflow(project, 'build').addJob('test', testOnEachNode());
  codeQl(project);
  // The action reads the title and writes nothing.
  workflow(project, 'pull-request-lint').file!.addOverride('jobs.validate.permissions.pull-requests', 'read');
}

export function workflow(project: cdk.JsiiProject, name: string): github.GithubWorkflow {
  const found = project.github!.tryFindWorkflow(name);
  if (found === undefined) throw new Error(`projen makes no workflow '${name}' any more`);
  return found;
}

function testOnEachNode(): Job {
  return {
    name: 'test on Node ${{ matrix.node }}',
    runsOn: ['ubuntu-latest'],
    permissions: READ_ONLY,
    timeoutMinutes: 90,
    env: { CI: 'true' },
    strategy: { failFast: false, matrix: { domain: { node: NODES } } },
    steps: [
      github.WorkflowSteps.checkout(),
      { name: 'Setup Node.js', uses: github.ActionRefs.ACTIONS_SETUP_NODE, with: { 'node-version': '${{ matrix.node }}' } },
      SETUP_GO,
      { name: 'Run all checks', run: '.ci/run' },
    ],
  };
}

function codeQl(project: cdk.JsiiProject): void {
  const codeql = project.github!.addWorkflow('codeql');
  codeql.on({
    push: { branches: ['main'] },
    pullRequest: { branches: ['main'] },
    schedule: [{ cron: '17 4 * * 1' }],
  });
  codeql.addJob('analyze', {
    name: 'analyze ${{ matrix.language }}',
    runsOn: ['ubuntu-latest'],
    permissions: { ...READ_ONLY, actions: JobPermission.READ, securityEvents: JobPermission.WRITE },
    timeoutMinutes: 60,
    strategy: { failFast: false, matrix: { domain: { language: ['javascript-typescript', 'actions'] } } },
    steps: [
      github.WorkflowSteps.checkout(),
      {
        name: 'Initialize CodeQL',
        uses: `github/codeql-action/init@${CODEQL}`,
        with: { 'languages': '${{ matrix.language }}', 'build-mode': 'none', 'queries': 'security-extended' },
      },
      { name: 'Analyze', uses: `github/codeql-action/analyze@${CODEQL}`, with: { category: '/language:${{ matrix.language }}' } },
    ],
  });
}
