import { fatal, warning, type Failure } from './failure';
import type { Existing, Observed } from './observed';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';
import { sameArmId } from '../../../src/azure/arm-id';

/** The failure of an object whose annotation names another resource than its own name and owners do. */
export function foreignId({ object, ownId, desired }: Observed): Failure | undefined {
  const [armId, own] = [annotation(object, RESOURCE_ID), desired?.armId ?? ownId];
  if (armId === undefined || own === undefined || isSame(armId, own)) return undefined;
  return fatal('Failed', `the spec now means "${own}", but this object already manages "${armId}"; restore its owner and azureName, or delete the object and create it anew`);
}

/** The same of an object that is being deleted. */
export function foreignAtDeletion(observed: Observed): Failure | undefined {
  if (foreignId(observed) === undefined) return undefined;
  const { object, ownId } = observed;
  return fatal('Failed', `by its name and owner this object is "${ownId}", but annotation ${RESOURCE_ID} holds "${annotation(object, RESOURCE_ID)}": nothing is deleted in Azure. ${WAYS_OUT}`);
}

const WAYS_OUT = `Correct the annotation, or set ${RECONCILE_POLICY}: detach-on-delete to let the object go and leave both in Azure`;

/** Whether the resource of the annotation is certainly the object's, before Azure is asked: by its name and owners, or its status. */
export function isOwnId({ object, ownId }: Observed): boolean {
  const armId = annotation(object, RESOURCE_ID) ?? '';
  return isSame(armId, ownId ?? statusId(object.status) ?? '');
}

/** The same once Azure has shown the resource: an id may come back in a spelling of Azure's own, which the status then has too. */
export function isOwnResource(observed: Observed, existing: Existing): boolean {
  const [before, now] = [statusId(observed.object.status), statusId(existing.status)];
  return isOwnId(observed) || (before !== undefined && now !== undefined && sameArmId(before, now));
}

/** Nothing but the annotation tells the id, e.g. because an owner is gone: the resource may be another one's. */
export function doubtfulId({ object }: Observed): Failure {
  return warning('Failed', `neither name and owners nor the status of this object tell its ARM id, so it is not certain that "${annotation(object, RESOURCE_ID)}" is the resource of this object: nothing is done in Azure. Restore the owner. ${WAYS_OUT}`);
}

/** Notes the id where only the controller writes, from the moment on at which Azure has the resource: the owner may go before a read. */
export function withOwnId(object: KubernetesObject, armId: string): KubernetesObject {
  return statusId(object.status) === undefined ? { ...object, status: { ...object.status, id: armId } } : object;
}

/** Another subscription alone is the credential's matter, which has a failure of its own (`SubscriptionMismatch`). */
function isSame(one: string, other: string): boolean {
  return sameArmId(withoutSubscription(one), withoutSubscription(other));
}

function withoutSubscription(id: string): string {
  return id.replace(/^\/subscriptions\/[^/]+/i, '');
}

function statusId(status: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof status?.id === 'string' && status.id !== '' ? status.id : undefined;
}
