import { resourceNameOf } from './kind-of';
import { ResolutionError, type ObjectLookup } from './types';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { isArmId } from '../../src/azure/arm-id';
import { quotedText, segmentProblem } from '../../src/azure/arm-segment';

export { referencesOf } from '../../src/catalog/spec-references';

/** A reference to another resource in a spec. */
export interface ReferenceValue {
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly armId?: string | undefined;
}

/**
 * The error in the form of a reference, with the validating webhook's message (docs/spec/webhooks.md#references-and-owners); undefined:
 * none.
 */
export function referenceProblem(reference: ReferenceValue): string | undefined {
  const { armId, group, kind, name } = reference;
  if (!armId && !group && !kind && !name) {
    return "at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference";
  }
  if (armId && (group || kind || name)) {
    return `the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: ${everyMember(reference)}`;
  }
  if (!armId && (!group || !kind || !name)) {
    return `when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: ${everyMember(reference)}`;
  }
  return undefined;
}

/** Whether a reference has exactly one form; throws ResolutionError. */
export function checkReference(
  reference: ReferenceValue,
): asserts reference is { armId: string } | { group: string; kind: string; name: string } {
  const problem = referenceProblem(reference);
  if (problem !== undefined) throw notFound(problem);
}

/** All members of a reference that has neither form, for messages. */
function everyMember({ group, kind, name, armId }: ReferenceValue): string {
  const quoted = (text: string | undefined) => JSON.stringify(text ?? '');
  return `Group: ${quoted(group)}, Kind: ${quoted(kind)}, Name: ${quoted(name)}, ARMID: ${quoted(armId)}`;
}

/** The ARM id of a reference: `armId` verbatim, or the annotation `resource-id` of the object (docs/spec/owners.md#references). */
export function resolveReference(reference: ReferenceValue, namespace: string, lookup: ObjectLookup): string {
  checkReference(reference);
  if ('armId' in reference && reference.armId) return checkedId(reference.armId, 'the reference');
  const { group, kind, name } = reference as { group: string; kind: string; name: string };
  if (!lookup.serves(group, kind)) throw notFound(`group: "${group}", kind: "${kind}" was not in reconciledResourceLookup`);
  const found = lookup.find(group, kind, namespace, name);
  if (!found) {
    const where = `${namespace}/${name}`;
    const hint = isArmId(name) ? `. '${name}' looks like it might be an ARM ID; did you mean 'armID: ${name}'?` : '';
    throw notFound(`couldn't resolve reference ${where}: ${where} does not exist (${resourceNameOf(group, kind)} "${name}" not found)${hint}`);
  }
  const id = found.metadata.annotations?.[RESOURCE_ID];
  if (!id) throw notFound(`ref ${name}, Group/Kind: ${group}/${kind} doesn't have an assigned ARM ID`);
  return checkedId(id, `annotation ${RESOURCE_ID} of ${kind}/${name}`);
}

/** Checks an id, which goes into the body unchanged: no segment may climb the path or contain invisible characters. */
function checkedId(id: string, where: string): string {
  for (const segment of id.split('/').filter((text) => text !== '')) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) {
      throw notFound(`${where} holds ${quotedText(id)}, in which ${quotedText(segment)} ${problem}: write the ARM id as Azure shows it`);
    }
  }
  return id;
}

function notFound(message: string): ResolutionError {
  return new ResolutionError('ReferenceNotFound', 'Warning', message);
}
