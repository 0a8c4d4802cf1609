import type { AppResource, Report } from './app-checks';
import type { Edge, ResourceGraph } from './resource-graph';
import { circlesOf, type Step } from '../graph/circles';

/** Finds resources that wait for each other: none of them would ever be created. Each circle is reported once. */
export function circleProblems(graph: ResourceGraph, report: Report): boolean {
  const { resources } = graph;
  const circles = circlesOf(resources.length, (index) => graph.edgesOf(resources[index]), ({ target }) => graph.indexOf(target)!);
  for (const circle of circles) report(resources[circle[0].at].resource, message(circle, resources));
  return circles.length > 0;
}

function message(circle: readonly Step<Edge>[], resources: readonly AppResource[]): string {
  const [{ at, edge: { link } }] = circle;
  const { kind, node } = resources[at].resource;
  if (circle.length === 1) return `${kind} ${link.path}: the resource refers to itself and would wait for itself for ever. Refer to another one, or by ARM id.`;
  const steps = circle.map((step) => `'${resources[step.at].resource.node.path}' (${step.edge.link.path})`);
  return `${kind} ${link.path}: these resources wait for each other, so none would ever be created: ${steps.join(' → ')} → '${node.path}'. Take one of the references out, or give it by ARM id.`;
}
