import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';

/** The charts that have to precede a chart, because its resources depend on theirs. */
const followed = new WeakMap<Chart, Set<Chart>>();

/**
 * Emits the resource after its dependency. A chart is one file: two charts that need each other cannot both come first, and a nested chart
 * always precedes its parent. In these cases there is no edge, and the controller waits.
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

/** API objects know their chart; for other constructs it is looked up in the tree. */
function chartOf(construct: IConstruct): Chart {
  return ApiObject.isApiObject(construct) ? (construct as ApiObject).chart : Chart.of(construct);
}

/** Whether a chart depends on the other, directly or transitively. */
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
