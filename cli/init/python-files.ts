import type { AppFacts } from './found';
import { venv } from './install';
import type { InitOptions } from './options';
import { appModule, chartModule, chartTest, gitOpsModule } from './python-modules';
import { readme } from './readme';
import { scripts } from './scripts';
import { workflow, WORKFLOW } from './workflow';
import { ownPackage, toolVersions } from '../app/own-package';
import { cdk8sFile, json } from '../app/typescript-app';

/** The files of an app in Python, by path. The commands are Node's; the app runs in a virtual environment of its own. */
export function pythonFiles(facts: AppFacts, options: InitOptions): Record<string, string> {
  const { gitops } = options;
  const own = ownPackage();
  const python = venv('python');
  const about = {
    'chart.py': 'the resources: begin here',
    'main.py': 'the app, with one instance of the chart for each environment',
    'test_chart.py': 'tests of what the chart writes',
    ...(gitops && { 'gitops.py': 'what the GitOps tool is told' }),
    'requirements.txt': 'libraries of the app; `package.json` has the commands',
    [WORKFLOW]: 'comments on pull requests what they change in Azure',
  };
  return {
    'package.json': json({
      name: facts.name,
      private: true,
      scripts: scripts(`${python} gitops.py`, `${python} -m pytest --quiet`, gitops !== undefined),
      devDependencies: { ...own.peerDependencies, [own.name]: `^${own.version}`, ...toolVersions(['cdk8s-cli']) },
    }),
    'cdk8s.yaml': cdk8sFile('python', `${python} main.py`),
    'requirements.txt': requirements(own.name, own.version, own.peerDependencies),
    'chart.py': chartModule(facts),
    'main.py': appModule(facts),
    'test_chart.py': chartTest(facts),
    ...(gitops && { 'gitops.py': gitOpsModule(facts, gitops) }),
    [WORKFLOW]: workflow('python', gitops !== undefined),
    '.gitignore': `node_modules/\n.venv/\n__pycache__/\n${gitops ? '' : 'dist/\n'}`,
    'README.md': readme(facts, options, about),
  };
}

/** The same versions as those of the packages for Node. */
function requirements(name: string, version: string, peers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(peers).map(([peer, range]) => `${peer}>=${range.replace(/^[^\d]*/, '')},<${Number(/\d+/.exec(range)?.[0]) + 1}`);
  return `${[`${name}>=${version}`, ...lines, 'pytest>=8'].join('\n')}\n`;
}
