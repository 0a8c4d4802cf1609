import type { ChartPlan } from './charts';
import { literal as quoted } from '../../codegen/emit-types';
import { uncapitalized } from '../../src/util/words';
import { typeScriptAppFiles } from '../app/typescript-app';

/** The files around the charts that make `npm install && npm run synth` work. */
export function appFiles(name: string, charts: readonly ChartPlan[]): Record<string, string> {
  return {
    'main.ts': main(charts),
    ...typeScriptAppFiles({ name, scripts: { synth: 'cdk8s synth', typecheck: 'tsc' } }),
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
