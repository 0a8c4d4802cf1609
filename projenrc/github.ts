import { github, javascript, type cdk } from 'projen';
import type { Job } from 'projen/lib/github/workflows-model';
import { BUILD_NODE, limitMinutes, READ_ONLY, RUNNER, workflow } from './jobs';
import { addNightly } from './nightly';
import { addSuiteTasks, FIRST_JOBS, jobOnBuild, RESTORE_BUILD, suiteJobs } from './test-jobs';

const { JobPermission } = github.workflows;

/** The types of commits, which are those of pull request titles: a squashed pull request is one commit. */
const COMMIT_TYPES = ['feat', 'fix', 'perf', 'refactor', 'docs', 'test', 'bench', 'style', 'build', 'ci', 'chore'];

/** projen has no reference to CodeQL's actions. v4.37.9; the commit is the tag's. */
const CODEQL = 'cdf488f595d80d6e07e03d4674febd5ab45fa938';

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
    preBuildSteps: RESTORE_BUILD,
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
  addSuiteTasks(project);
  completeBuild(project);
  addNightly(project);
  codeQl(project);
  // The action reads the title and writes nothing.
  workflow(project, 'pull-request-lint').file!.addOverride('jobs.validate.permissions.pull-requests', 'read');
  limitMinutes(project, 'pull-request-lint', { validate: 5 });
  limitMinutes(project, 'dependency-review', { 'dependency-review': 10 });
  limitMinutes(project, 'upgrade-main', { upgrade: 20, pr: 10 });
}

/** The jobs that a pull request must pass (docs/workflows.md). */
function completeBuild(project: cdk.JsiiProject): void {
  const build = workflow(project, 'build');
  const packaging = project.buildWorkflow!.buildJobIds;
  packageOnly(project, build);
  limitMinutes(project, 'build', Object.fromEntries(packaging.map((job) => [job, 30])));
  // A push to a pull request ends the run of the push before it.
  build.file!.addOverride('concurrency', {
    'group': 'build-${{ github.event.pull_request.number || github.run_id }}', 'cancel-in-progress': true,
  });
  const jobs: Record<string, Job> = {
    ...FIRST_JOBS,
    ...suiteJobs(),
    check: jobOnBuild('types and linters', 15, 'npx projen check'),
    site: jobOnBuild('site', 20, 'npx projen test:site'),
  };
  build.addJobs({ ...jobs, passed: passedJob([...packaging, ...Object.keys(jobs)]) });
}

/** The job `build` takes over what `compile` has built, and runs no tests: other jobs do. */
function packageOnly(project: cdk.JsiiProject, build: github.GithubWorkflow): void {
  const task = project.addTask('build:package', { description: 'Everything that build does but the tests' });
  const { defaultTask, preCompileTask, compileTask, postCompileTask, packageTask } = project;
  for (const step of [defaultTask!, preCompileTask, compileTask, postCompileTask, packageTask]) task.spawn(step);
  const file = build.file!;
  file.addOverride('jobs.build.needs', ['compile']);
  // As the other jobs, the merge of the pull request into main; projen would take its branch, to which it can push.
  file.addDeletionOverride('jobs.build.steps.0.with');
  // After projen's own three: repository, Node, packages.
  file.addOverride(`jobs.build.steps.${3 + RESTORE_BUILD.length}.run`, `npx projen ${task.name}`);
}

/**
 * The check that branch protection requires. A required job that is skipped because another one has failed counts as passed
 * (https://github.com/actions/runner/issues/2566), so this one always runs.
 */
function passedJob(needs: string[]): Job {
  return {
    name: 'passed',
    needs,
    if: 'always()',
    runsOn: RUNNER,
    permissions: {},
    timeoutMinutes: 5,
    env: { RESULTS: "${{ join(needs.*.result, ' ') }}" },
    steps: [{ name: 'All jobs have succeeded', run: 'for result in $RESULTS; do [ "$result" = success ]; done' }],
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
    runsOn: RUNNER,
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
