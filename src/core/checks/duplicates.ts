import type { AzureResource } from '../azure-resource';
import { annotationOf, isOnlyRead } from './annotations';
import type { AppResource, Report } from './app-checks';
import type { ResourceGraph } from './resource-graph';
import { CREDENTIAL_FROM } from '../../azure/annotations';
import { nameScopeOf } from '../../azure/names/name-facts';
import { isUuid, isUuidNamed } from '../../azure/uuid-names';

/** Two objects with one Kubernetes name, and two resources with one Azure name and type under one owner, or anywhere. */
export function duplicateProblems(graph: ResourceGraph, report: Report): void {
  const inAzure = new TakenNames();
  const everywhere = new TakenNames();
  for (const entry of graph.resources) {
    const { resource, checked } = entry;
    const namesake = graph.namesake(entry);
    if (namesake !== resource) {
      report(resource, `${resource.kind} metadata.name: '${resource.name}' is also the name of the ${resource.kind} '${namesake.node.path}' in the same namespace; the one would overwrite the other. Give them different names.`);
      continue;
    }
    const name = nameOf(entry);
    const place = name === undefined ? undefined : placeOf(entry, graph);
    if (name === undefined || place === undefined) continue;
    const { foldedTypeName: type } = checked.schema;
    const other = inAzure.take(place, type, name, resource);
    if (other) {
      const fix = checked.schema.fixedName === undefined ? 'Give them different Azure names' : `Every ${resource.kind} is called '${checked.azureName}', so its owner can have one only: remove one of them`;
      report(resource, `${resource.kind} azureName: '${name}' is also the Azure name of '${other.node.path}', with the same type (${checked.schema.typeName}) and the same owner: the two would fight over one Azure resource. ${fix}.`);
      continue;
    }
    const namesakeFarAway = isTakenEverywhere(checked.schema.typeName) ? everywhere.take('', type, name, resource) : undefined;
    if (namesakeFarAway && !isOnlyRead(resource) && !isOnlyRead(namesakeFarAway)) {
      report(resource, `${resource.kind} azureName: '${name}' is also the Azure name of '${namesakeFarAway.node.path}'; names of ${checked.schema.typeName} may be taken once only, wherever they are. Give them different Azure names.`);
    }
  }
}

/** Who had a name first. Azure compares without regard to case. */
class TakenNames {
  private readonly places = new Map<string, Map<string, Map<string, AzureResource>>>();

  /** Gives the resource the name, or says which one has it already. */
  public take(place: string, type: string, name: string, resource: AzureResource): AzureResource | undefined {
    const names = inner(inner(this.places, place), type);
    const folded = name.toLowerCase();
    const other = names.get(folded);
    if (!other) names.set(folded, resource);
    return other;
  }
}

function inner<Value>(outer: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = outer.get(key) ?? new Map<string, Value>();
  outer.set(key, known);
  return known;
}

/** Where a resource is, as far as it is known: what has the same type and name in the same place is one and the same for Azure. */
function placeOf(entry: AppResource, graph: ResourceGraph): string | undefined {
  const { resource, checked } = entry;
  const owner = graph.ownerKey(entry);
  if (owner !== undefined) return owner;
  // Nothing but the subscription holds them apart, and that comes with the credential.
  if (checked.schema.version.facts.owner !== null) return undefined;
  return `\n${resource.metadata.namespace ?? ''}\n${annotationOf(resource, CREDENTIAL_FROM) ?? ''}`;
}

/** Names that are held against each other wherever they are: a DNS name in all of Azure, a UUID in the tenant. */
function isTakenEverywhere(typeName: string): boolean {
  const scope = nameScopeOf(typeName);
  return scope === 'global' || scope === 'tenant';
}

/** The operator takes a `metadata.name` that is a UUID for the name of a role assignment that has none of its own. */
function nameOf({ resource, checked }: AppResource): string | undefined {
  if (checked.azureName !== undefined) return checked.azureName;
  return isUuid(resource.name) && isUuidNamed(resource.apiGroup, resource.kind) && checked.spec.azureName === undefined ? resource.name : undefined;
}
