import { basename } from 'node:path';
import { Comments } from './comments';
import type { CodeNames } from './expression';
import type { Item } from './item';
import { chartClassOf, variableNames } from './names';
import type { Plan } from './plan';
import { printExpression } from './print-expression';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import type { Catalog } from '../../src/catalog';

/** The chart of one namespace. */
export interface ChartPlan {
  readonly namespace?: string;
  /** `team-a`: its id, and the name of its file. Of letters, digits and dashes. */
  readonly id: string;
  readonly className: string;
  /** In the order of the code. */
  readonly plans: readonly Plan[];
  readonly variables: ReadonlyMap<Item, string>;
  /** Where its objects were read. */
  readonly files: readonly string[];
}

/** One chart a namespace, and one for the objects without. References never leave a namespace, so neither do variables. */
export function chartsOf(plans: readonly Plan[], catalog: Catalog): ChartPlan[] {
  const byNamespace = new Map<string | undefined, Plan[]>();
  for (const plan of plans) byNamespace.set(plan.item.namespace, [...(byNamespace.get(plan.item.namespace) ?? []), plan]);
  // Names of other files, and of devices on Windows.
  const ids = new Set<string>(['main', 'unreadable', 'con', 'prn', 'aux', 'nul']);
  const classes = new Set<string>(['Chart', 'Construct']);
  // Charts with a namespace first: they have their names from there. The other one is emitted first: its namespaces are needed.
  const named = [...byNamespace].sort(([a], [b]) => Number(a === undefined) - Number(b === undefined)).map(([namespace, own]) => {
    const files = [...new Set(own.map(({ item }) => item.source.file))];
    const name = namespace !== undefined ? idOf(namespace) : files.length === 1 && files[0] !== '<stdin>' ? idOf(basename(files[0]).replace(/\.[^.]*$/, '')) : 'objects';
    const submodules = new Set(own.flatMap(submodulesOf));
    return {
      namespace,
      id: unused(name, ids),
      className: unused(chartClassOf(name), classes),
      plans: own,
      variables: variableNames(own.map(({ item }) => item), catalog, submodules),
      files,
    };
  });
  return named.sort((a, b) => Number(a.namespace !== undefined) - Number(b.namespace !== undefined));
}

/** The services that the code mentions. */
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

/** As long as a namespace may be. */
const LONGEST_ID = 63;

/** A file is called by it, so nothing but lower-case letters, digits and dashes is in it. */
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
