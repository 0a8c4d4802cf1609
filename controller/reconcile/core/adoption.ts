import { absence, fatal, warning, type Failure } from './failure';
import type { Observed } from './observed';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf, wasSentByAso } from '../../../engine/objects/last-applied';
import { ADOPT } from '../../../src/azure/annotations';

/**
 * An object's policy for a resource that may exist in Azure already (docs/adoption.md):
 * - `OrCreate`: the PUT creates or adopts the resource, as in ASO. The default.
 * - `IfPresent`: only an existing resource is managed; none is ever created.
 * - `Never`: only a resource that this object has created is managed; none is ever adopted.
 */
export type AdoptionPolicy = 'IfPresent' | 'OrCreate' | 'Never';

export const ADOPTION_POLICIES: readonly AdoptionPolicy[] = ['IfPresent', 'OrCreate', 'Never'];

/** The object's declaration. An invalid value may lead to nothing but its refusal. */
export function adoptionOf(object: KubernetesObject): AdoptionPolicy | { readonly unknown: string } {
  const value = annotation(object, ADOPT);
  if (value === undefined) return 'OrCreate';
  return ADOPTION_POLICIES.find((policy) => policy === value) ?? { unknown: value };
}

/** The failure of an object with an invalid declaration. */
export function unknownAdoption(object: KubernetesObject): Failure | undefined {
  const adoption = adoptionOf(object);
  if (typeof adoption === 'string') return undefined;
  return fatal(
    'Failed',
    `annotation ${ADOPT} holds "${adoption.unknown}": write ${ADOPTION_POLICIES.join(', ')}, or remove it (then it is OrCreate)`,
  );
}

/**
 * Whether an intent to PUT may be stored with the claim. Where it depends on what is in Azure, it is stored only after that was looked at,
 * so that the record itself tells that the PUT was allowed.
 */
export function mayIntendAtClaim(object: KubernetesObject): boolean {
  return adoptionOf(object) === 'OrCreate';
}

/** Whether Azure has to be read before the next PUT. */
export function mustLook(observed: Observed): boolean {
  if (observed.present !== undefined) return false;
  if (isLikelyThere(observed)) return true;
  const adoption = adoptionOf(observed.object);
  return adoption === 'IfPresent' || (adoption === 'Never' && !isCreatedByUs(observed.object));
}

/**
 * Whether the resource is probably in Azure although this object has not sent it: the object was claimed under `skip` (a claim under
 * another policy leaves a record), or another object stands for the same resource. A read then tells whether there is anything to send.
 * A read of this process, under `skip` moments ago, may have told already that there is none.
 */
function isLikelyThere({ object, traits, isShared = false, wasAbsent = false }: Observed): boolean {
  const record = lastAppliedOf(object);
  return traits.canCompare && ((record === undefined && !(wasAbsent && !isShared)) || (isShared && !record?.answered));
}

/** Why the PUT is not sent, once it is known whether the resource exists. */
export function adoptionFailure(observed: Observed, armId: string): Failure | undefined {
  const { object, present } = observed;
  const adoption = adoptionOf(object);
  if (present === false && adoption === 'IfPresent') {
    return absence(`"${armId}" does not exist in Azure, and annotation ${ADOPT}: IfPresent keeps this controller from creating it; it is managed as soon as it exists`);
  }
  if (present === true && adoption === 'Never' && !isCreatedByUs(object)) {
    return warning('ResourceAlreadyExists', `"${armId}" exists in Azure already and was not created by this object, and annotation ${ADOPT}: Never keeps this controller from taking it over; give this object another name in Azure, remove the resource, or set ${ADOPT} to IfPresent to take it over`);
  }
  return undefined;
}

/** Whether the record has yet to state that this object creates the resource, as it must before the PUT that creates it. */
export function mustRecordAbsence({ object, present }: Observed): boolean {
  return adoptionOf(object) === 'Never' && present === false && !isCreatedByUs(object);
}

/**
 * Whether another party owns the resource with the object's ID: then the deletion of the object does not touch Azure. Under `OrCreate`
 * the ID alone decides, as in ASO.
 */
export function isForeign(object: KubernetesObject): boolean {
  switch (adoptionOf(object)) {
    case 'OrCreate':
      return false;
    case 'Never':
      return !isCreatedByUs(object);
    default:
      return lastAppliedOf(object) === undefined && !wasSentByAso(object);
  }
}

/**
 * Whether the resource of an object that is being deleted has another object, and Azure has accepted no PUT of this one: a name that was
 * taken, or a role assignment with another principal. Its deletion would delete what only the other one has made.
 * @see https://github.com/Azure/azure-service-operator/issues/1273 deletions of what was never provisioned
 * @see https://github.com/Azure/azure-service-operator/issues/4206 Azure refuses another principal for an existing role assignment
 */
export function isMadeByAnother({ object, isShared = false }: Pick<Observed, 'object'> & { readonly isShared?: boolean }): boolean {
  return isShared && mayBeOfAnother(object);
}

/** Whether Azure has accepted no PUT of the object. */
export function mayBeOfAnother(object: KubernetesObject): boolean {
  return lastAppliedOf(object)?.answered !== true && !wasSentByAso(object);
}

/** By the record of the object's PUTs: Azure has accepted one, or one was sent after a read had found no resource. */
function isCreatedByUs(object: KubernetesObject): boolean {
  const record = lastAppliedOf(object);
  return record ? record.answered || record.found === 'nothing' : wasSentByAso(object);
}
