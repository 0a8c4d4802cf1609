import type { AzureResource } from '../azure-resource';
import type { AppResource, Report } from './app-checks';
import type { Edge, ResourceGraph } from './resource-graph';

interface Visit {
  readonly entry: AppResource;
  readonly edges: Edge[];
  next: number;
}

/**
 * Finds resources that wait for each other: none of them would ever be created. A depth-first walk without recursion
 * (chains may be long), each circle reported once.
 */
export function circleProblems(graph: ResourceGraph, report: Report): boolean {
  const done = new Set<AzureResource>();
  let found = false;
  for (const start of graph.resources) {
    if (done.has(start.resource)) continue;
    const stack: Visit[] = [{ entry: start, edges: graph.edgesOf(start), next: 0 }];
    const depth = new Map<AzureResource, number>([[start.resource, 0]]);
    while (stack.length > 0) {
      const visit = stack[stack.length - 1];
      const edge = visit.edges[visit.next++];
      if (!edge) {
        done.add(visit.entry.resource);
        depth.delete(visit.entry.resource);
        stack.pop();
        continue;
      }
      const at = depth.get(edge.target);
      if (at !== undefined) {
        found = true;
        report(edge.target, circle(stack.slice(at)));
      } else if (!done.has(edge.target)) {
        const entry = graph.target(visit.entry.resource, edge.link)!;
        depth.set(edge.target, stack.length);
        stack.push({ entry, edges: graph.edgesOf(entry), next: 0 });
      }
    }
  }
  return found;
}

function circle(visits: Visit[]): string {
  const steps = visits.map(({ entry, edges, next }) => `'${entry.resource.node.path}' (${edges[next - 1].link.path})`);
  const [{ entry, edges, next }] = visits;
  const path = edges[next - 1].link.path;
  if (visits.length === 1) return `${entry.resource.kind} ${path}: the resource refers to itself and would wait for itself for ever. Refer to another one, or by ARM id.`;
  return `${entry.resource.kind} ${path}: these resources wait for each other, so none would ever be created: ${steps.join(' → ')} → '${entry.resource.node.path}'. Take one of the references out, or give it by ARM id.`;
}
