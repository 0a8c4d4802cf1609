import type { ChartPlan } from './charts';
import { parameterTypeText, type Parameter } from './parameters/parameter';
import { hasDefault, valueText } from './parameters/props-source';
import { literal as quoted } from '../../codegen/emit-types';
import { uncapitalized } from '../../src/util/words';

const WIDTH = 120;

/** Text of a parameter in the entry, with the imports that it needs. */
class Entry {
  public readonly submodules = new Set<string>();
  private readonly required = new Set<string>();
  private readsScalars = false;

  private readonly names = {
    service: (submodule: string, name: string) => {
      this.submodules.add(submodule);
      return `${importName(submodule)}.${name}`;
    },
  };

  /** The value of a prop: the one of the files, or a variable of the environment. */
  public value(parameter: Parameter): string {
    const { value, type, environment } = parameter;
    const given = value === undefined ? undefined : valueText(value, type, this.names);
    if (given !== undefined) return given;
    const variable = `process.env.${environment}`;
    if (!hasDefault(parameter)) {
      this.required.add(environment);
      return this.converted(`env.${environment}`, parameter);
    }
    if (type.is === 'string') return `${variable} || undefined`;
    if (type.is === 'enum') return `(${variable} || undefined) as ${parameterTypeText(type, this.names)} | undefined`;
    return `${variable} ? ${this.converted(variable, parameter)} : undefined`;
  }

  public get head(): string[] {
    if (this.required.size === 0) return [];
    const names = [...this.required].map(quoted);
    const line = `const env = required(${names.join(', ')});`;
    return line.length <= WIDTH ? [line] : ['const env = required(', ...names.map((name) => `  ${name},`), ');'];
  }

  public get functions(): string[] {
    return [
      ...(this.required.size === 0 ? [] : [
        '',
        '/** The environment, in which these variables have to be set. */',
        'function required<Name extends string>(...names: Name[]): Record<Name, string> {',
        '  const missing = names.filter((name) => process.env[name] === undefined);',
        '  if (missing.length > 0) throw new Error(`Set these variables: ${missing.join(\', \')}.`);',
        '  return process.env as Record<Name, string>;',
        '}',
      ]),
      ...(this.readsScalars ? [
        '',
        '/** A number or boolean where the text is one, as in YAML. */',
        'function scalar(text: string): string | number | boolean {',
        '  return /^(true|false|-?\\d+(\\.\\d+)?)$/.test(text) ? (JSON.parse(text) as number | boolean) : text;',
        '}',
      ] : []),
    ];
  }

  private converted(text: string, { type }: Parameter): string {
    switch (type.is) {
      case 'string':
        return text;
      case 'number':
        return `Number(${text})`;
      case 'boolean':
        return `${text} === 'true'`;
      case 'enum':
        return `${text} as ${parameterTypeText(type, this.names)}`;
      case 'any':
        this.readsScalars = true;
        return `scalar(${text})`;
      default:
        return `JSON.parse(${text}) as ${parameterTypeText(type, this.names)}`;
    }
  }
}

/** The name of a service: `app` is that of the app. */
function importName(submodule: string): string {
  return submodule === 'app' ? 'appService' : submodule;
}

/** `main.ts`: creates the charts, with values for their props. */
export function entryFile(charts: readonly ChartPlan[]): string {
  const entry = new Entry();
  const instances = charts.map((chart) => instance(chart, charts, entry));
  return [
    'import { App } from \'cdk8s\';',
    ...[...entry.submodules].sort().map((name) => `import * as ${importName(name)} from 'cdk8s-aso/${name}';`),
    ...charts.map(({ className, id }) => `import { ${className} } from ${quoted(`./${id}`)};`),
    '',
    ...entry.head,
    'const app = new App();',
    ...instances,
    'app.synth();',
    ...entry.functions,
    '',
  ].join('\n');
}

/** Creates the instance of a chart; the chart with the Namespace object comes before the charts of that namespace. */
function instance(chart: ChartPlan, charts: readonly ChartPlan[], entry: Entry): string {
  const made = `new ${chart.className}(app, ${quoted(chart.id)}${props(chart, entry)})`;
  const maker = charts.find((other) => other !== chart && makes(other, chart));
  if (maker) return `${made}.addDependency(${variableOf(maker)});`;
  return charts.some((other) => other !== chart && makes(chart, other)) ? `const ${variableOf(chart)} = ${made};` : `${made};`;
}

function props({ parameters }: ChartPlan, entry: Entry): string {
  if (parameters.length === 0) return '';
  const [optional, required] = [parameters.filter(hasDefault), parameters.filter((parameter) => !hasDefault(parameter))];
  const lines = [...required, ...optional].map((parameter) => `  ${parameter.name}: ${entry.value(parameter)},\n`);
  return `, {\n${lines.join('')}}`;
}

/** Whether the other chart's namespace is an object of this one. */
function makes({ plans }: ChartPlan, { namespace }: ChartPlan): boolean {
  return namespace !== undefined && plans.some(({ item }) => item.kind === 'Namespace' && item.group === '' && item.name === namespace);
}

function variableOf({ className }: ChartPlan): string {
  return uncapitalized(className);
}
