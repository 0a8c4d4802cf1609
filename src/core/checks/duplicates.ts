import type { AzureResource } from '../azure-resource';
import { CREDENTIAL_ANNOTATION, POLICY_ANNOTATION } from './annotations';
import type { AppResource, Report } from './app-checks';
import type { ResourceGraph } from './resource-graph';
import { nameScopeOf } from '../../azure/names/name-facts';

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
      report(resource, `${resource.kind} azureName: '${checked.azureName}' is also the Azure name of '${other.node.path}', with the same type (${checked.schema.typeName}) and the same owner: the two would fight over one Azure resource. ${fix}.`);
      continue;
    }
    const farKey = everywhereKey(entry);
    if (farKey === undefined) continue;
    const namesakeFarAway = everywhere.get(farKey);
    if (!namesakeFarAway) {
      everywhere.set(farKey, resource);
    } else if (!isOnlyRead(resource) && !isOnlyRead(namesakeFarAway)) {
      report(resource, `${resource.kind} azureName: '${checked.azureName}' is also the Azure name of '${namesakeFarAway.node.path}'; names of ${checked.schema.typeName} may be taken once only, wherever they are. Give them different Azure names.`);
    }
  }
}

/** What makes a resource one and the same for Azure, as far as it is known; Azure compares without regard to case. */
function azureKey({ resource, checked }: AppResource, graph: ResourceGraph): string | undefined {
  if (checked.azureName === undefined) return undefined;
  const owner = checked.links.find((link) => link.role === 'owner');
  const parts = [checked.schema.typeName, checked.azureName];
  if (!owner) {
    // Nothing but the subscription holds them apart, and that comes with the credential.
    if (checked.schema.version.facts.owner !== null) return undefined;
    parts.push('', resource.metadata.namespace ?? '', resource.metadata.toJson().annotations?.[CREDENTIAL_ANNOTATION] ?? '');
  } else if (owner.reference.name === undefined && !owner.reference.construct) {
    parts.push('arm', (owner.reference.armId ?? '').replace(/\/+$/, ''));
  } else {
    const target = graph.target(resource, owner);
    parts.push('object', resource.metadata.namespace ?? '', owner.reference.group ?? '', owner.reference.kind ?? '', target?.resource.name ?? owner.reference.name ?? '');
  }
  return parts.join('\n').toLowerCase();
}

/** Names that are held against each other wherever they are: a DNS name in all of Azure, a UUID in the tenant. */
function everywhereKey({ checked: { azureName, schema } }: AppResource): string | undefined {
  if (azureName === undefined) return undefined;
  const scope = nameScopeOf(schema.typeName);
  return scope === 'global' || scope === 'tenant' ? `${schema.typeName}\n${azureName}`.toLowerCase() : undefined;
}

/** Whether the object only reads a resource that something else manages. */
function isOnlyRead(resource: AzureResource): boolean {
  return resource.metadata.toJson().annotations?.[POLICY_ANNOTATION] === 'skip';
}
