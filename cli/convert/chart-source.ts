import { basename, isAbsolute } from 'node:path';
import type { ChartPlan } from './charts';
import { docComment, exactComment, lineComment } from './code-comment';
import { Comments } from './comments';
import type { Constant } from './constants';
import type { CodeNames, ObjectExpression } from './expression';
import type { FileNames } from './imports';
import { leavesNameOut, type InnerPlace, type Item } from './item';
import { constructIdOf } from './names';
import { defaultLines, hasDefault, propsInterface, withDefault } from './parameters/props-source';
import type { Patch } from './patch';
import type { Plan } from './plan';
import { commentLines, printExpression } from './print-expression';
import type { Unreadable } from './read';
import { literal as quoted } from '../../codegen/emit-types';
import { shortened } from '../../src/util/words';
import { formatProblem, oneLine } from '../output/problem';

/** Kubernetes allows 63 characters; a file may contain more. */
const LONGEST_NAMESPACE = 100;
const BODY = '    ';

/** The source code of a chart class. */
export function chartSource(chart: ChartPlan, names: FileNames): string {
  names.useVariables(chart.variables, chart.parameterVariables);
  const mentioned = new Set(chart.plans.flatMap((plan) => plan.uses.filter((used) => used.inside?.holder !== plan.item)));
  const declared = new Set<InnerPlace>();
  const statements = chart.plans.map((plan) => [...innerChartLines(plan, declared, names), statement(plan, mentioned, names)].join('\n'));
  const { parameters } = chart;
  const propsName = `${chart.className}Props`;
  const props = parameters.length === 0 ? '' : `, props: ${propsName}${parameters.every(hasDefault) ? ' = {}' : ''}`;
  return [
    ...(parameters.length === 0 ? [] : [docComment(`The values of \`${chart.className}\`.`), ...propsInterface(propsName, parameters, names)]),
    docComment(about(chart)),
    `export class ${chart.className} extends ${names.cdk8s('Chart')} {`,
    `  public constructor(scope: Construct, id: string${props}) {`,
    `${BODY}super(scope, id${superOptions(chart, names)});`,
    ...(chart.plans.some(({ item }) => item.inside === undefined && leavesNameOut(item))
      ? [
        `${BODY}// Objects without an azureName stay without: the operator takes their metadata.name.`,
        `${BODY}${names.core('DefaultAzureName')}.leaveOut(this);`,
      ]
      : []),
    ...defaultLines(chart.parameterVariables, names).map((line) => `${BODY}${line}`),
    ...defaultsCall(chart.defaults, names),
    ...(chart.constants ?? []).map((constant) => constantLine(constant, names)),
    ...insideLines(chart, names),
    ...statements.flatMap((lines) => ['', lines]),
    '  }',
    '}',
    '',
  ].join('\n');
}

/** The chart takes namespace and labels from its props as well, as every chart does. */
function superOptions({ namespaceText, parameters }: ChartPlan, names: FileNames): string {
  if (!namespaceText) return parameters.length === 0 ? '' : ', props';
  if (parameters.length === 0) return `, { namespace: ${namespaceText.print(names)} }`;
  if (namespaceText.whole?.name === 'namespace' && !hasDefault(namespaceText.whole)) return ', props';
  // The variables of props with a default come after the call.
  const before: CodeNames = {
    core: (name) => names.core(name),
    cdk8s: (name) => names.cdk8s(name),
    service: (submodule, name) => names.service(submodule, name),
    variable: (item) => names.variable(item),
    innerChart: (place) => names.innerChart(place),
    parameter: (parameter) => (hasDefault(parameter) ? withDefault(parameter, names) : `props.${parameter.name}`),
  };
  return `, { namespace: ${namespaceText.print(before)}, ...props }`;
}

/** The app of the objects that stand in other objects. */
function insideLines({ plans }: ChartPlan, names: FileNames): string[] {
  const inner = plans.filter(({ item }) => item.inside);
  if (inner.length === 0) return [];
  return [
    '',
    `${BODY}// The objects in other objects: their charts are written into these, not into files.`,
    `${BODY}const inside = new ${names.cdk8s('App')}();`,
    ...(inner.some(({ item }) => leavesNameOut(item)) ? [`${BODY}${names.core('DefaultAzureName')}.leaveOut(inside);`] : []),
  ];
}

/** The chart of an object that stands in another one, above the first of its constructs. */
function innerChartLines({ item: { inside } }: Plan, declared: Set<InnerPlace>, names: FileNames): string[] {
  if (!inside || declared.has(inside)) return [];
  declared.add(inside);
  const variable = names.innerChart(inside);
  return [`${BODY}const ${variable} = new ${names.cdk8s('Chart')}(inside, ${quoted(constructIdOf(variable))});`];
}

function constantLine({ name, value }: Constant, names: FileNames): string {
  const head = `${BODY}const ${name} = `;
  return `${head}${printExpression(value, { names, comments: Comments.of(undefined) }, BODY, head.length)};`;
}

/** `Defaults.of(this).use({ … });` */
function defaultsCall(defaults: ObjectExpression | undefined, names: FileNames): string[] {
  if (!defaults) return [];
  const head = `${BODY}${names.core('Defaults')}.of(this).use(`;
  return [`${head}${printExpression(defaults, { names, comments: Comments.of(undefined) }, BODY, head.length)});`];
}

/** Documents that could not be read, as comments, so that no text is lost. */
export function unreadableSource(unreadable: readonly Unreadable[]): string {
  return unreadable
    .map(({ problem, text }) =>
      [
        '',
        ...(problem ? [lineComment(formatProblem(problem))] : []),
        ...text.replace(/\r?\n$/, '').split(/\r?\n|[\r\u2028\u2029]/).map(exactComment),
        '',
      ].join('\n'),
    )
    .join('');
}

function about({ namespace, files }: ChartPlan): string {
  const from = files.map((file) => oneLine(isAbsolute(file) ? basename(file) : file)).join(', ');
  return `${namespace === undefined ? 'Objects without a namespace' : `The objects of namespace ${shortened(namespace, LONGEST_NAMESPACE)}`}, from ${from.length > 100 ? `${files.length} files` : from}.`;
}

function statement({ item, props, patches }: Plan, mentioned: ReadonlySet<Item>, names: FileNames): string {
  const comments = item.source.comments.copy();
  // They stand at the objects that are made of these values.
  for (const { path } of item.openPlaces) comments.takeBelow(path);
  const variable = names.variable(item);
  const className = classText(item, names);
  const declared = mentioned.has(item) || patches.length > 0 ? `const ${variable} = ` : '';
  const scope = item.inside ? names.innerChart(item.inside) : 'this';
  const head = `${BODY}${declared}new ${className}(${scope}, ${quoted(constructIdOf(variable))}, `;
  const first = comments.take([]).before;
  const call = `${head}${printExpression(props, { names, comments }, BODY, head.length)});`;
  const patched = patches.map((patch) => `${BODY}${variable}.addJsonPatch(${patchText(patch, names)});`);
  const why = item.refused === undefined ? [] : [`Kept as it is: ${item.refused.why}.`];
  // Comments on fields that the code does not contain (kind, spec and so on) move above the construct.
  return [...commentLines([...first, ...comments.rest(), ...why], BODY), call, ...patched].join('\n');
}

function classText(item: Item, names: FileNames): string {
  if (item.typed) return names.service(item.kindClass!.submodule, item.kindClass!.className);
  return item.isCredential ? names.core('AsoCredential') : names.cdk8s('ApiObject');
}

function patchText({ operation, path, value }: Patch, names: FileNames): string {
  const type = names.cdk8s('JsonPatch');
  if (!value) return `${type}.${operation}(${quoted(path)})`;
  const printed = printExpression(value, { names, comments: Comments.of(undefined) }, BODY);
  return `${type}.${operation}(${quoted(path)}, ${printed})`;
}
