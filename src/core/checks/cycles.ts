import type { AppResource, Report } from './app-checks';
import type { Edge, ResourceGraph } from './resource-graph';
import { cyclesOf, type Step } from '../graph/cycles';

/** Finds resources that wait for each other: none of them would ever be created. Each cycle is reported once. */
export function circleProblems(graph: ResourceGraph, report: Report): boolean {
  const { resources } = graph;
  const cycles = cyclesOf(resources.length, (index) => graph.edgesOf(resources[index]), ({ target }) => graph.indexOf(target)!);
  for (const cycle of cycles) report(resources[cycle[0].at].resource, message(cycle, resources));
  return cycles.length > 0;
}

function message(cycle: readonly Step<Edge>[], resources: readonly AppResource[]): string {
  const [{ at, edge: { link } }] = cycle;
  const { kind, node } = resources[at].resource;
  if (cycle.length === 1) return `${kind} ${link.path}: the resource refers to itself and would wait for itself for ever. Refer to another one, or by ARM id.`;
  const steps = cycle.map((step) => `'${resources[step.at].resource.node.path}' (${step.edge.link.path})`);
  return `${kind} ${link.path}: these resources wait for each other, so none would ever be created: ${steps.join(' → ')} → '${node.path}'. Take one of the references out, or give it by ARM id.`;
}
