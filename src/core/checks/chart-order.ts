import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';

/** Chart → the charts that its resources come after. */
const followed = new WeakMap<Chart, Set<Chart>>();

/**
 * Has the resource emitted after what it depends on. Charts are whole files, so two that need each other cannot both come
 * first, and a chart inside another is always emitted before it: there the edge is left out, and the controller waits.
 */
export function emitAfter(resource: IConstruct, dependency: IConstruct): void {
  const [from, to] = [chartOf(resource), chartOf(dependency)];
  if (from !== to) {
    const known = followed.get(from) ?? new Set();
    if (!known.has(to)) {
      if (reaches(to, from)) return;
      followed.set(from, known.add(to));
    }
  }
  resource.node.addDependency(dependency);
}

/** Objects know their chart; what is none has to look up the tree. */
function chartOf(construct: IConstruct): Chart {
  return ApiObject.isApiObject(construct) ? (construct as ApiObject).chart : Chart.of(construct);
}

/** Whether a chart comes after the other, directly or by way of others. */
function reaches(from: Chart, to: Chart): boolean {
  const seen = new Set<Chart>([from]);
  const open = [from];
  for (let chart = open.pop(); chart; chart = open.pop()) {
    if (chart === to) return true;
    for (const next of after(chart)) {
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
  }
  return false;
}

function after(chart: Chart): Chart[] {
  return [
    ...(followed.get(chart) ?? []),
    ...chart.node.children.filter((child): child is Chart => Chart.isChart(child)),
    ...chart.node.dependencies.map((dependency) => Chart.of(dependency)),
  ];
}
