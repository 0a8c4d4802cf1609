import type { AzureResource } from '../azure-resource';
import { annotationOf, CREDENTIAL_ANNOTATION, isOnlyRead } from './annotations';
import type { AppResource, Report } from './app-checks';
import type { ResourceGraph } from './resource-graph';
import { nameScopeOf } from '../../azure/names/name-facts';
import { isUuid, isUuidNamed } from '../../azure/uuid-names';

/** Two objects with one Kubernetes name, and two resources with one Azure name and type under one owner, or anywhere. */
export function duplicateProblems(graph: ResourceGraph, report: Report): void {
  const inAzure = new Map<string, AzureResource>();
  const everywhere = new Map<string, AzureResource>();
  for (const entry of graph.resources) {
    const { resource, checked } = entry;
    const namesake = graph.namesake(entry);
    if (namesake !== resource) {
      report(resource, `${resource.kind} metadata.name: '${resource.name}' is also the name of the ${resource.kind} '${namesake.node.path}' in the same namespace; the one would overwrite the other. Give them different names.`);
      continue;
    }
    const key = azureKey(entry, graph);
    if (key === undefined) continue;
    const other = inAzure.get(key);
    if (!other) {
      inAzure.set(key, resource);
    } else {
      const fix = checked.schema.fixedName === undefined ? 'Give them different Azure names' : `Every ${resource.kind} is called '${checked.azureName}', so its owner can have one only: remove one of them`;
      report(resource, `${resource.kind} azureName: '${nameOf(entry)}' is also the Azure name of '${other.node.path}', with the same type (${checked.schema.typeName}) and the same owner: the two would fight over one Azure resource. ${fix}.`);
      continue;
    }
    const farKey = everywhereKey(entry);
    if (farKey === undefined) continue;
    const namesakeFarAway = everywhere.get(farKey);
    if (!namesakeFarAway) {
      everywhere.set(farKey, resource);
    } else if (!isOnlyRead(resource) && !isOnlyRead(namesakeFarAway)) {
      report(resource, `${resource.kind} azureName: '${nameOf(entry)}' is also the Azure name of '${namesakeFarAway.node.path}'; names of ${checked.schema.typeName} may be taken once only, wherever they are. Give them different Azure names.`);
    }
  }
}

/** What makes a resource one and the same for Azure, as far as it is known; Azure compares without regard to case. */
function azureKey(entry: AppResource, graph: ResourceGraph): string | undefined {
  const { resource, checked } = entry;
  const name = nameOf(entry);
  if (name === undefined) return undefined;
  const own = `${checked.schema.typeName}\n${name}`.toLowerCase();
  const owner = graph.ownerKey(entry);
  if (owner !== undefined) return `${own}\n${owner}`;
  // Nothing but the subscription holds them apart, and that comes with the credential.
  if (checked.schema.version.facts.owner !== null) return undefined;
  return `${own}\n\n${resource.metadata.namespace ?? ''}\n${annotationOf(resource, CREDENTIAL_ANNOTATION) ?? ''}`;
}

/** Names that are held against each other wherever they are: a DNS name in all of Azure, a UUID in the tenant. */
function everywhereKey(entry: AppResource): string | undefined {
  const name = nameOf(entry);
  const { typeName } = entry.checked.schema;
  const scope = name === undefined ? undefined : nameScopeOf(typeName);
  return scope === 'global' || scope === 'tenant' ? `${typeName}\n${name}`.toLowerCase() : undefined;
}

/** The operator takes a `metadata.name` that is a UUID for the name of a role assignment that has none of its own. */
function nameOf({ resource, checked }: AppResource): string | undefined {
  if (checked.azureName !== undefined) return checked.azureName;
  return isUuid(resource.name) && isUuidNamed(resource.apiGroup, resource.kind) && checked.spec.azureName === undefined ? resource.name : undefined;
}
