import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { ownerTypeProblem } from '../../../engine/resolve/arm-id-of';
import { ownerOf } from '../../../engine/resolve/owner';
import { referenceProblem } from '../../../engine/resolve/references';
import { ResolutionError } from '../../../engine/resolve/types';
import type { KindVersion } from '../../../src/catalog';
import { referencesOf } from '../../../src/catalog/spec-references';

/** References that have no form, two forms or half of one (docs/spec/webhooks.md#references-and-owners). */
export function referenceErrors(version: KindVersion, object: KubernetesObject): string[] {
  return referencesOf(object.spec, version).flatMap((reference) => {
    if (reference.to !== 'resource') return [];
    const { wellKnownName, path, ...form } = reference;
    if (wellKnownName === undefined) return problem(referenceProblem(form));
    if (!form.armId && !form.group && !form.kind && !form.name) return [];
    return [`${path}: 'wellKnownName' is mutually exclusive with 'ARMID', 'Group', 'Kind' and 'Name'; keep the one that is meant`];
  });
}

/**
 * The owner gets the same checks; for owners of a fixed kind group and kind are filled in first. An owner by ARM id must be of the type
 * that owns the kind.
 */
export function ownerErrors(version: KindVersion, object: KubernetesObject): string[] {
  try {
    const owner = ownerOf(object, version);
    return owner?.by === 'armId' ? problem(ownerTypeProblem(owner.armId, version)) : [];
  } catch (error) {
    if (error instanceof ResolutionError) return [error.message];
    throw error;
  }
}

function problem(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}
