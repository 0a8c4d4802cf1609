import { basename } from 'node:path';
import { Comments } from './comments';
import { withConstants, type Constant } from './constants';
import type { CodeNames, ObjectExpression } from './expression';
import type { InnerPlace, Item } from './item';
import { chartClassOf, spokenText, variableNames } from './names';
import { parameterTypeText, type Parameter } from './parameters/parameter';
import { parameterVariables } from './parameters/props-source';
import type { Text } from './parameters/text';
import type { Plan } from './plan';
import { printExpression } from './print-expression';
import type { SharedValues } from './verify';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import type { Catalog } from '../../src/catalog';

/** The chart of one namespace. */
export interface ChartPlan {
  readonly namespace?: string | undefined;
  /** Id of the chart and base name of its file, e.g. `team-a`: letters, digits and dashes. */
  readonly id: string;
  readonly className: string;
  /** Plans in the order of the code. */
  readonly plans: readonly Plan[];
  /** Values that the chart's resources have in common, the argument of `Defaults.of(this).use`. */
  readonly defaults?: ObjectExpression | undefined;
  /** Values with a name, declared above the constructs. */
  readonly constants?: readonly Constant[];
  readonly variables: ReadonlyMap<Item | InnerPlace, string>;
  /** The variables of the files that the chart has as props. */
  readonly parameters: readonly Parameter[];
  /** Names in the constructor of props with a default. */
  readonly parameterVariables: ReadonlyMap<Parameter, string>;
  /** The namespace as code. */
  readonly namespaceText?: Text | undefined;
  /** The files that contain its objects. */
  readonly files: readonly string[];
}

/** One chart per namespace, and one for objects without a namespace. References never leave a namespace, so neither do variables. */
export function chartsOf(plans: readonly Plan[], catalog: Catalog, shared: SharedValues = new Map()): ChartPlan[] {
  const byNamespace = new Map<string | undefined, Plan[]>();
  for (const plan of plans) byNamespace.set(plan.item.namespace, [...(byNamespace.get(plan.item.namespace) ?? []), plan]);
  // Base names of other generated files, and names of devices on Windows.
  const ids = new Set<string>(['main', 'unreadable', 'con', 'prn', 'aux', 'nul']);
  const classes = new Set<string>(['Chart', 'Construct']);
  // Charts with a namespace are named first, because they take the name of it. The chart without one is emitted first: it has the
  // Namespaces.
  const named = [...byNamespace]
    .sort(([a], [b]) => Number(a === undefined) - Number(b === undefined))
    .map(([namespace, own]) => {
      const files = [...new Set(own.map(({ item }) => item.source.file))];
      const [file, another] = files;
      const namespaceText = namespace === undefined ? undefined : own[0]!.item.texts.of(namespace);
      const name =
        namespaceText !== undefined
          ? idOf(spokenText(namespaceText))
          : file !== undefined && another === undefined && file !== '<stdin>'
            ? idOf(basename(file).replace(/\.[^.]*$/, ''))
            : 'objects';
      const { submodules, parameters } = namesIn(own, namespaceText);
      const parameterNames = parameterVariables(parameters, submodules);
      const variables = variableNames(
        own.map(({ item }) => item),
        catalog,
        new Set([...submodules, ...parameterNames.values()]),
      );
      const common = shared.get(namespace);
      return {
        namespace,
        id: unused(name, ids),
        className: unused(chartClassOf(name), classes),
        defaults: common?.defaults,
        ...(common ? withConstants(own, [...variables.values(), ...submodules]) : { plans: own }),
        variables,
        parameters,
        parameterVariables: parameterNames,
        namespaceText,
        files,
      };
    });
  return named.sort((a, b) => Number(a.namespace !== undefined) - Number(b.namespace !== undefined));
}

/** The service submodules that the code imports from, and its parameters. */
function namesIn(
  plans: readonly Plan[], namespace: Text | undefined,
): { readonly submodules: ReadonlySet<string>; readonly parameters: readonly Parameter[] } {
  const submodules = new Set(plans.flatMap(({ item }) => (item.typed ? [item.kindClass!.submodule] : [])));
  const parameters = new Set<Parameter>(namespace?.parameters);
  const names: CodeNames = {
    variable: () => '',
    innerChart: () => '',
    parameter: (parameter) => {
      parameters.add(parameter);
      return parameter.name;
    },
    core: (name) => name,
    cdk8s: (name) => name,
    service: (submodule, name) => {
      submodules.add(submodule);
      return name;
    },
  };
  for (const { props, patches } of plans) {
    for (const value of [props, ...patches.map((patch) => patch.value)]) {
      if (value) printExpression(value, { names, comments: Comments.of(undefined) });
    }
  }
  for (const { type } of parameters) parameterTypeText(type, names);
  return { submodules, parameters: [...parameters] };
}

/** The maximum length of a namespace. */
const LONGEST_ID = 63;

/** The id is also a file name, so it has only lower-case letters, digits and dashes. */
function idOf(text: string): string {
  const id = withoutTrailing(text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, LONGEST_ID), '-');
  return /^(?:com|lpt)\d$/.test(id) ? `${id}-objects` : id || 'objects';
}

function unused(name: string, used: Set<string>): string {
  let free = name;
  for (let n = 2; used.has(free); n++) free = `${name}${/[A-Z]/.test(name) ? '' : '-'}${n}`;
  used.add(free);
  return free;
}
