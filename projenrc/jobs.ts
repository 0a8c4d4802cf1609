import { github, type cdk } from 'projen';
import type { JobStep } from 'projen/lib/github/workflows-model';

/** The newest Node that is supported builds and publishes: npm's trusted publishing needs npm 11.5, which comes with it. */
export const BUILD_NODE = '24';
/** The other Node versions that are supported, from the oldest of `engines`. */
export const OTHER_NODES = ['20.20.0', '22'];

export const READ_ONLY = { contents: github.workflows.JobPermission.READ };
export const RUNNER = ['ubuntu-latest'];

/** Begins a job: the repository, and Node. No cache of packages, as in projen's jobs. */
export function withNode(version = BUILD_NODE, ref?: string): JobStep[] {
  const options = { 'node-version': version, 'package-manager-cache': false };
  return [
    github.WorkflowSteps.checkout(ref === undefined ? {} : { with: { ref } }),
    { name: 'Setup Node.js', uses: github.ActionRefs.ACTIONS_SETUP_NODE, with: options },
  ];
}

export const INSTALL: JobStep = { name: 'Install dependencies', run: 'npm ci' };

export function workflow(project: cdk.JsiiProject, name: string): github.GithubWorkflow {
  const found = project.github!.tryFindWorkflow(name);
  if (found === undefined) throw new Error(`projen makes no workflow '${name}' any more`);
  return found;
}

/** Ends jobs of projen that hang: GitHub's own limit is six hours. */
export function limitMinutes(project: cdk.JsiiProject, name: string, minutesOfJobs: Readonly<Record<string, number>>): void {
  for (const [job, minutes] of Object.entries(minutesOfJobs)) {
    workflow(project, name).file!.addOverride(`jobs.${job}.timeout-minutes`, minutes);
  }
}
