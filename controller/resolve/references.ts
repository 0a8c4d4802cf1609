import { RESOURCE_ID } from './annotations';
import { ResolutionError, type ObjectLookup } from './types';
import { isArmId } from '../../src/azure/arm-id';

export { referencesOf } from '../../src/catalog/spec-references';

/** A reference to another resource, as it stands in a spec. */
export interface ReferenceValue {
  readonly group?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly armId?: string;
}

/** Whether a reference has exactly one form; throws ResolutionError in the words of the validating webhook (webhooks.md 4.2). */
export function checkReference(reference: ReferenceValue): asserts reference is { armId: string } | { group: string; kind: string; name: string } {
  const { armId, group, kind, name } = reference;
  if (!armId && !group && !kind && !name) {
    throw notFound("at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference");
  }
  if (armId && (group || kind || name)) {
    throw notFound(`the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: ${armId}`);
  }
  if (!armId && (!group || !kind || !name)) {
    throw notFound(`when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: Group: ${JSON.stringify(group ?? '')}, Kind: ${JSON.stringify(kind ?? '')}, Name: ${JSON.stringify(name ?? '')}`);
  }
}

/** The ARM id of a reference: `armId` verbatim, or the annotation `resource-id` of the object (controller.md 6.2). */
export function resolveReference(reference: ReferenceValue, namespace: string, lookup: ObjectLookup): string {
  checkReference(reference);
  if ('armId' in reference && reference.armId) return reference.armId;
  const { group, kind, name } = reference as { group: string; kind: string; name: string };
  if (!lookup.serves(group, kind)) throw notFound(`group: "${group}", kind: "${kind}" was not in reconciledResourceLookup`);
  const found = lookup.find(group, kind, namespace, name);
  if (!found) {
    const where = `${namespace}/${name}`;
    const hint = isArmId(name) ? `. '${name}' looks like it might be an ARM ID; did you mean 'armID: ${name}'?` : '';
    throw notFound(`couldn't resolve reference ${where}: ${where} does not exist (${kind}.${group} "${name}" not found)${hint}`);
  }
  const id = found.metadata.annotations?.[RESOURCE_ID];
  if (!id) throw notFound(`ref ${name}, Group/Kind: ${group}/${kind} doesn't have an assigned ARM ID`);
  return id;
}

function notFound(message: string): ResolutionError {
  return new ResolutionError('ReferenceNotFound', 'Warning', message);
}
