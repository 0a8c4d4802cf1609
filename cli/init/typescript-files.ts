import type { AppFacts } from './found';
import type { InitOptions } from './options';
import { readme } from './readme';
import { scripts } from './scripts';
import { appModule, chartModule, chartTest, gitOpsModule } from './typescript-modules';
import { workflow, WORKFLOW } from './workflow';
import { typeScriptAppFiles } from '../app/typescript-app';

/** The files of a plain app in TypeScript, by path. */
export function typeScriptFiles(facts: AppFacts, options: InitOptions): Record<string, string> {
  const { gitops } = options;
  const tests = 'tsc && node --import tsx --test chart.test.ts';
  const about = {
    'chart.ts': 'the resources: begin here',
    'main.ts': 'the app, with one instance of the chart for each environment',
    'chart.test.ts': 'tests of what the chart writes',
    ...(gitops && { 'gitops.ts': 'what the GitOps tool is told' }),
    [WORKFLOW]: 'comments on pull requests what they change in Azure',
  };
  return {
    ...typeScriptAppFiles({ name: facts.name, scripts: scripts('node --import tsx gitops.ts', tests, gitops !== undefined) }),
    'chart.ts': chartModule(facts),
    'main.ts': appModule(facts),
    'chart.test.ts': chartTest(facts, './chart', 'node:test'),
    ...(gitops && { 'gitops.ts': gitOpsModule(facts, gitops) }),
    [WORKFLOW]: workflow('typescript', gitops !== undefined),
    '.gitignore': gitops ? 'node_modules/\n' : 'node_modules/\ndist/\n',
    'README.md': readme(facts, options, about),
  };
}
