import { github, release, type cdk } from 'projen';
import { limitMinutes, RUNNER, withNode, workflow } from './jobs';
import { FIRST_JOBS, suiteJobs } from './test-jobs';

const { JobPermission } = github.workflows;

/** Options of the project that make `release.yml` (docs/releasing.md). */
export const releaseOptions = {
  release: true,
  // A maintainer starts a release; a push does not.
  releaseTrigger: release.ReleaseTrigger.workflowDispatch(),
  // Every job that publishes waits for the approval of this environment, which has the secrets.
  releaseEnvironment: 'release',
  // A section of CHANGELOG.md that is newer than the last release decides the version; without one the commits do.
  nextVersionCommand: 'node scripts/changelog.mjs next-version',
  // 13 does not run on Node 20.
  bumpPackage: 'commit-and-tag-version@^12.7.3',
  // It gets the rights to publish, so it is one version that was looked at.
  jsiiReleaseVersion: '0.2.1061',
  npmTrustedPublishing: true,
} satisfies Partial<cdk.JsiiProjectOptions>;

/** Where the other languages that jsii speaks are published (docs/languages.md). */
export const languageOptions = {
  publishToPypi: { distName: 'cdk8s-aso', module: 'cdk8s_aso', trustedPublishing: true },
  publishToMaven: { javaPackage: 'io.github.cdk8saso', mavenGroupId: 'io.github.cdk8s-aso', mavenArtifactId: 'cdk8s-aso' },
  publishToNuget: { dotNetNamespace: 'Cdk8sAso', packageId: 'Cdk8sAso', trustedPublishing: true },
  // Go modules are a repository of their own; the deploy key can write that one and no other.
  publishToGo: { moduleName: 'github.com/cdk8s-aso/cdk8s-aso-go', packageName: 'cdk8saso', githubUseSsh: true },
} satisfies Partial<cdk.JsiiProjectOptions>;

/** The images, for each architecture that AKS has nodes of. The Dockerfile needs no emulator for that. */
export const IMAGE_PLATFORMS = 'linux/amd64,linux/arm64';

/** Stages of the Dockerfile, each of which is an image: `cdk8s-aso-controller`, `cdk8s-aso-composer`. */
const IMAGE_TARGETS = 'controller composer';

/** Builds the images from the package that is published, and pushes them; a dry run only builds them. */
function imageJob(): github.workflows.Job {
  const forEachTarget = (flags = '') => [
    `for target in ${IMAGE_TARGETS}; do`,
    `  docker buildx build --platform ${IMAGE_PLATFORMS} --target "$target" --tag "$IMAGE-$target:$(cat dist/version.txt)"${flags} image`,
    'done',
  ];
  return {
    name: 'Publish the images',
    needs: ['release'],
    // As projen's jobs: only a version that has no tag yet, of the newest commit.
    if: "needs.release.outputs.tag_exists != 'true' && needs.release.outputs.latest_commit == github.sha",
    runsOn: RUNNER,
    environment: 'release',
    permissions: { contents: JobPermission.READ, packages: JobPermission.WRITE },
    timeoutMinutes: 45,
    env: { IMAGE: 'ghcr.io/${{ github.repository_owner }}/cdk8s-aso' },
    steps: [
      github.WorkflowSteps.checkout(),
      github.WorkflowSteps.downloadArtifact({
        with: { artifactIds: ['${{ needs.release.outputs.artifact_id }}'], path: 'dist' },
      }),
      {
        name: 'Unpack the package beside the Dockerfile',
        run: ['mkdir image', 'tar -xzf dist/js/*.tgz -C image --strip-components=1', 'cp Dockerfile .dockerignore package-lock.json image/'].join('\n'),
      },
      {
        name: 'Build for each platform',
        run: ['docker buildx create --use', ...forEachTarget()].join('\n'),
      },
      {
        name: 'Push',
        if: '${{ !inputs.dry_run }}',
        env: { GITHUB_TOKEN: '${{ secrets.GITHUB_TOKEN }}', ACTOR: '${{ github.actor }}' },
        run: [
          'echo "$GITHUB_TOKEN" | docker login ghcr.io --username "$ACTOR" --password-stdin',
          ...forEachTarget(' --provenance true --push'),
        ].join('\n'),
      },
    ],
  };
}

/** CHANGELOG.md and the notes of a release. Called last. */
export function completeRelease(project: cdk.JsiiProject): void {
  project.tasks.tryFind('bump')!.exec('node scripts/changelog.mjs notes "$CHANGELOG" "$BUMPFILE"');

  const { file } = workflow(project, 'release');
  // The job tests and builds what is published; only the jobs after it publish. It takes nothing from a cache or from another job, and its
  // tests are those of `npm test`, on the files with the new version. All suites have passed before it.
  file!.addOverride('jobs.release.permissions.contents', 'read');
  file!.addOverride('jobs.release.if', "github.ref == 'refs/heads/main'");
  const suites = suiteJobs();
  file!.addOverride('jobs.release.needs', Object.keys(suites));
  limitMinutes(project, 'release', {
    release: 45, release_github: 10, release_npm: 30, release_maven: 30, release_pypi: 30, release_nuget: 30, release_golang: 30,
  });

  project.release!.addJobs({
    ...FIRST_JOBS,
    ...suites,
    release_image: imageJob(),
    release_changelog: {
      name: 'Keep CHANGELOG.md',
      needs: ['release', 'release_github'],
      if: '${{ !inputs.dry_run }}',
      runsOn: RUNNER,
      environment: 'release',
      permissions: { contents: JobPermission.WRITE },
      timeoutMinutes: 10,
      steps: [
        ...withNode(undefined, 'main'),
        github.WorkflowSteps.downloadArtifact({
          with: { artifactIds: ['${{ needs.release.outputs.artifact_id }}'], path: 'dist' },
        }),
        github.WorkflowSteps.setupGitIdentity({ gitIdentity: { name: 'github-actions', email: 'github-actions@github.com' } }),
        {
          name: 'Add the section of the release',
          run: [
            'node scripts/changelog.mjs add dist/changelog.md dist/version.txt',
            'git add CHANGELOG.md',
            'git diff --cached --quiet || git commit -m "docs(changelog): $(cat dist/version.txt)"',
            'git push origin HEAD:main',
          ].join('\n'),
        },
      ],
    },
  });
}
