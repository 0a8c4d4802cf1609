import { isOnlyRead } from './annotations';
import type { AppResource, Report } from './app-checks';
import type { ResourceGraph } from './resource-graph';
import { text } from '../../util/records';

/** Azure knows one assignment of a role to a principal in a scope, whatever the names. */
export function roleAssignmentProblems(graph: ResourceGraph, report: Report): void {
  const first = new Map<string, AppResource>();
  for (const entry of graph.resources) {
    const { resource } = entry;
    if (resource.kind !== 'RoleAssignment' || resource.apiGroup !== 'authorization.azure.com' || graph.namesake(entry) !== resource) continue;
    const grant = grantOf(entry, graph);
    if (grant === undefined) continue;
    const other = first.get(grant);
    if (!other || isOnlyRead(other.resource)) first.set(grant, entry);
    // Equal names are reported as such.
    else if (!isOnlyRead(resource) && (entry.checked.azureName === undefined || entry.checked.azureName !== other.checked.azureName)) report(resource, `${resource.kind} roleDefinitionReference: '${other.resource.node.path}' gives the same role to the same principal on the same resource, and Azure refuses a second such assignment (RoleAssignmentExists). Remove one of the two.`);
  }
}

/** Scope, role and principal, as far as they are known. */
function grantOf(entry: AppResource, graph: ResourceGraph): string | undefined {
  const { spec } = entry.checked;
  const namespace = entry.resource.metadata.namespace ?? '';
  const scope = graph.ownerKey(entry);
  const { roleDefinitionReference: role, principalIdFromConfig: source } = spec;
  const definition = text(role, 'wellKnownName') ?? text(role, 'armId') ?? (text(role, 'name') && `${namespace}/${text(role, 'name')}`);
  const principal = text(spec, 'principalId') ?? (text(source, 'name') && `${namespace}/${text(source, 'name')}/${text(source, 'key')}`);
  return scope === undefined || definition === undefined || principal === undefined ? undefined : [scope, definition, principal].join('\n').toLowerCase();
}
