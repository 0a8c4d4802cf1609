import type { AppFacts } from './found';
import type { InitOptions } from './options';
import { readme } from './readme';
import { scripts } from './scripts';
import { appModule, chartModule, chartTest, gitOpsModule } from './typescript-modules';
import { workflow, WORKFLOW } from './workflow';
import { literal as quoted } from '../../codegen/emit-types';
import { ownPackage, toolVersions } from '../app/own-package';
import { json } from '../app/typescript-app';

const PROJENRC = '.projenrc.ts';

/** The files from which projen makes the others of an app in TypeScript. */
export function projenFiles(facts: AppFacts, options: InitOptions): Record<string, string> {
  const { gitops } = options;
  const about = {
    'src/chart.ts': 'the resources: begin here',
    'src/main.ts': 'the app, with one instance of the chart for each environment',
    'test/chart.test.ts': 'tests of what the chart writes',
    ...(gitops && { 'src/gitops.ts': 'what the GitOps tool is told' }),
    [PROJENRC]: 'the project: `npx projen` writes package.json and the like from it',
    [WORKFLOW]: 'comments on pull requests what they change in Azure',
  };
  return {
    // Until projen has run, which writes it anew.
    'package.json': json({ name: facts.name, private: true, devDependencies: toolVersions(['projen', 'tsx', 'typescript']) }),
    [PROJENRC]: projenrc(facts, gitops !== undefined),
    'src/chart.ts': chartModule(facts),
    'src/main.ts': appModule(facts),
    'test/chart.test.ts': chartTest(facts, '../src/chart'),
    ...(gitops && { 'src/gitops.ts': gitOpsModule(facts, gitops) }),
    [WORKFLOW]: workflow('typescript', gitops !== undefined),
    'README.md': readme(facts, options, about),
  };
}

function projenrc({ name, branch }: AppFacts, gitops: boolean): string {
  const own = ownPackage();
  const { cdk8s, constructs, ...others } = own.peerDependencies;
  const versions = toolVersions(['cdk8s-cli', 'tsx']);
  const plain = (range: string | undefined) => range?.replace(/^[^\d]*/, '');
  const { synth, test: _, ...commands } = scripts('node --import tsx src/gitops.ts', '', gitops);
  const tasks = Object.entries(commands);
  return `import { cdk8s, javascript } from 'projen';

const project = new cdk8s.Cdk8sTypeScriptApp({
  name: '${name}',
  defaultReleaseBranch: ${quoted(branch)},
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,
  cdk8sVersion: '${plain(cdk8s)}',
  constructsVersion: '${plain(constructs)}',
  cdk8sPlus: false,
  cdk8sCliVersion: '${plain(versions['cdk8s-cli'])}',
  deps: [${[`${own.name}@^${own.version}`, ...Object.entries(others).map(([peer, range]) => `${peer}@${range}`)].map((dependency) => `'${dependency}'`).join(', ')}],
  devDeps: ['tsx@${versions.tsx}'],
  github: false,
  licensed: false,
});
// No compilation before: a synthesis takes the sources.
project.tryFindObjectFile('cdk8s.yaml')!.addOverride('app', 'node --import tsx src/main.ts');
project.tasks.tryFind('synth')!.reset('${synth}');
${tasks.map(([task, command]) => `project.addTask('${task}', { exec: '${command}' });`).join('\n')}
${gitops ? '// A GitOps tool applies what is committed.\nproject.gitignore.include(\'/dist/\');\n' : ''}project.synth();
`;
}
