import { basename } from 'node:path';
import { Comments } from './comments';
import { withConstants, type Constant } from './constants';
import type { CodeNames, ObjectExpression } from './expression';
import type { Item } from './item';
import { chartClassOf, variableNames } from './names';
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
  readonly variables: ReadonlyMap<Item, string>;
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
      const name =
        namespace !== undefined
          ? idOf(namespace)
          : file !== undefined && another === undefined && file !== '<stdin>'
            ? idOf(basename(file).replace(/\.[^.]*$/, ''))
            : 'objects';
      const submodules = new Set(own.flatMap(submodulesOf));
      const variables = variableNames(
        own.map(({ item }) => item),
        catalog,
        submodules,
      );
      const common = shared.get(namespace);
      return {
        namespace,
        id: unused(name, ids),
        className: unused(chartClassOf(name), classes),
        defaults: common?.defaults,
        ...(common ? withConstants(own, [...variables.values(), ...submodules]) : { plans: own }),
        variables,
        files,
      };
    });
  return named.sort((a, b) => Number(a.namespace !== undefined) - Number(b.namespace !== undefined));
}

/** The service submodules that the code imports from. */
function submodulesOf({ item, props }: Plan): string[] {
  const found: string[] = item.typed ? [item.kindClass!.submodule] : [];
  const names: CodeNames = {
    variable: () => '',
    core: (name) => name,
    cdk8s: (name) => name,
    service: (submodule, name) => {
      found.push(submodule);
      return name;
    },
  };
  printExpression(props, { names, comments: Comments.of(undefined) });
  return found;
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
