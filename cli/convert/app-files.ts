import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChartPlan } from './charts';
import { literal as quoted } from '../../codegen/emit-types';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import { uncapitalized } from '../../src/util/words';

/** The files around the charts that make `npm install && npm run synth` work. */
export function appFiles(name: string, charts: readonly ChartPlan[]): Record<string, string> {
  return {
    'main.ts': main(charts),
    'cdk8s.yaml': 'language: typescript\napp: node --import tsx main.ts\noutput: dist\n',
    'package.json': packageFile(name),
    'tsconfig.json': tsconfig(),
  };
}

function main(charts: readonly ChartPlan[]): string {
  return [
    'import { App } from \'cdk8s\';',
    ...charts.map(({ className, id }) => `import { ${className} } from ${quoted(`./${id}`)};`),
    '',
    'const app = new App();',
    ...charts.map((chart) => instance(chart, charts)),
    'app.synth();',
    '',
  ].join('\n');
}

/** Creates the instance of a chart; the chart with the Namespace object comes before the charts of that namespace. */
function instance(chart: ChartPlan, charts: readonly ChartPlan[]): string {
  const made = `new ${chart.className}(app, ${quoted(chart.id)})`;
  const maker = charts.find((other) => other !== chart && makes(other, chart));
  if (maker) return `${made}.addDependency(${variableOf(maker)});`;
  return charts.some((other) => other !== chart && makes(chart, other)) ? `const ${variableOf(chart)} = ${made};` : `${made};`;
}

/** Whether the other chart's namespace is an object of this one. */
function makes({ plans }: ChartPlan, { namespace }: ChartPlan): boolean {
  return namespace !== undefined && plans.some(({ item }) => item.kind === 'Namespace' && item.group === '' && item.name === namespace);
}

function variableOf({ className }: ChartPlan): string {
  return uncapitalized(className);
}

interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

function packageFile(name: string): string {
  // This file is bundled into lib/cli/main.js: in both places the root of the package is two folders above.
  const own = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as OwnPackage;
  const tools = ['cdk8s-cli', 'tsx', 'typescript', '@types/node'];
  return json({
    name: withoutTrailing(name.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+/, ''), '-') || 'app',
    private: true,
    scripts: { synth: 'cdk8s synth', typecheck: 'tsc' },
    dependencies: { ...own.peerDependencies, [own.name]: `^${own.version}` },
    devDependencies: Object.fromEntries(tools.map((tool) => [tool, own.devDependencies[tool]])),
  });
}

function tsconfig(): string {
  return json({
    compilerOptions: {
      target: 'ES2022',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    },
    include: ['*.ts'],
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
