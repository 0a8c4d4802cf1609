import { isDeepStrictEqual } from 'node:util';
import { isReady, readyOf } from './core/conditions';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { pollerOf } from '../../engine/objects/poller';
import {
  ACCEPTS_CREDENTIALS_FROM,
  ADOPT,
  ALLOWS_CREDENTIAL_EXPORTS,
  CREDENTIAL_FROM,
  CREDENTIAL_REQUIRED,
  DELETE_IN_USE,
  OPERATOR_NAMESPACE,
  RECONCILE_POLICY,
  RESOURCE_ID,
  SEND_SECRETS,
} from '../../src/azure/annotations';

/** Which events start a reconcile (docs/spec/objects.md#triggers, and where ASO polls, the event that it waits for). */

/** Whether an event of the object itself triggers a reconcile. */
export function triggersReconcile({ type, object, previous }: ObjectEvent): boolean {
  if (type === 'ADDED') return true;
  if (type === 'DELETED') return false;
  if (!previous || previous.metadata.uid !== object.metadata.uid) return true;
  return previous.metadata.generation !== object.metadata.generation
    || previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
    || policyChanged(previous, object)
    // A user who sees that the deletion is not possible, and releases the resource by the policy, need not wait for the timer.
    || (object.metadata.deletionTimestamp !== undefined && annotation(previous, RECONCILE_POLICY) !== annotation(object, RECONCILE_POLICY))
    || annotation(previous, DELETE_IN_USE) !== annotation(object, DELETE_IN_USE)
    || annotation(previous, CREDENTIAL_FROM) !== annotation(object, CREDENTIAL_FROM)
    || annotation(previous, ADOPT) !== annotation(object, ADOPT)
    || annotation(previous, SEND_SECRETS) !== annotation(object, SEND_SECRETS)
    // Handed over to another controller by hand.
    || (annotation(previous, OPERATOR_NAMESPACE) !== undefined && annotation(object, OPERATOR_NAMESPACE) === undefined);
}

/** Whether the policy changes to or from `skip`, on an object or on a Namespace. */
export function policyChanged(previous: KubernetesObject | undefined, object: KubernetesObject | undefined): boolean {
  const before = previous?.metadata.annotations?.[RECONCILE_POLICY] ?? '';
  const after = object?.metadata.annotations?.[RECONCILE_POLICY] ?? '';
  return before !== after && (before === 'skip' || after === 'skip');
}

/** Whether an event of a Namespace changes which credentials its objects may use. */
export function credentialRulesChanged({ type, object, previous }: ObjectEvent): boolean {
  if (type !== 'MODIFIED' || !previous) return false;
  const rules = [ACCEPTS_CREDENTIALS_FROM, ALLOWS_CREDENTIAL_EXPORTS, CREDENTIAL_REQUIRED];
  return rules.some((key) => annotation(previous, key) !== annotation(object, key));
}

/** Whether the object waits for a credential that it may use. */
export function isCredentialRefused(object: KubernetesObject): boolean {
  const ready = readyOf(object);
  return ready?.status === 'False' && ready.reason === 'CredentialInvalid';
}

/** Whether an event of an Azure object concerns its dependents: it came or went, became ready, or got its ID. */
export function concernsDependents({ type, object, previous }: ObjectEvent): boolean {
  if (type !== 'MODIFIED' || !previous) return true;
  return (isReady(object) && !isReady(previous)) || annotation(object, RESOURCE_ID) !== annotation(previous, RESOURCE_ID);
}

/**
 * Whether an event of a Secret or ConfigMap concerns its readers. Where only the metadata is watched, a change of the data is seen when it
 * has been read (`Controller.contentKnown`).
 */
export function dataChanged({ type, object, previous }: ObjectEvent): boolean {
  return type !== 'MODIFIED' || !previous || !isDeepStrictEqual(object.data ?? {}, previous.data ?? {});
}

/** Whether the object is not in sync with its spec, and so may wait for another one. */
export function isUnsettled(object: KubernetesObject): boolean {
  const ready = readyOf(object);
  return ready?.status !== 'True' || ready.observedGeneration !== object.metadata.generation;
}

/** Whether the object waits for the end of its operation in Azure and for nothing else: its next reconcile polls, when that is due. */
export function isPolled(object: KubernetesObject): boolean {
  return isUnderWay(object) && pollerOf(object) !== undefined;
}

/** Whether a change of the object, for which others wait, is in progress: not yet in Azure, or an operation; failures do not count. */
export function isUnderWay(object: KubernetesObject | undefined): boolean {
  if (!object || !isUnsettled(object)) return false;
  const ready = readyOf(object);
  return !ready || ready.severity === 'Info' || ready.observedGeneration !== object.metadata.generation;
}
