import type { cdk } from 'projen';

/** `npx projen mutants`: whether each fault that is made on purpose is still found, after a change of tests or of what runs them. */
export function addMutants(project: cdk.JsiiProject): void {
  const mutants = project.addTask('mutants', {
    description: 'Look for every mutant, and fail where one has survived: npx projen mutants --help',
  });
  mutants.exec('tsx test/mutants/run.ts', { receiveArgs: true });
}
