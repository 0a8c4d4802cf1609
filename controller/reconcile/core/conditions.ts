import type { Condition, KubernetesObject } from '../../../engine/kubernetes/types';
import { escapeUnseen, TEXT_LIMITS, truncate } from '../../../engine/text-limits';

/** The one condition that Azure objects have (docs/spec/conditions.md#fields). */
export const READY = 'Ready';

export const RECONCILING_MESSAGE = 'The resource is in the process of being reconciled by the operator';
export const DELETING_MESSAGE = 'The resource is being deleted';

/** The content of a Ready condition, without its times. */
export interface ReadyState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly severity?: 'Error' | 'Warning' | 'Info';
  readonly reason: string;
  readonly message: string;
}

export const SUCCEEDED: ReadyState = { status: 'True', reason: 'Succeeded', message: '' };
export const RECONCILING: ReadyState = { status: 'False', severity: 'Info', reason: 'Reconciling', message: RECONCILING_MESSAGE };
export const DELETING: ReadyState = { status: 'False', severity: 'Info', reason: 'Deleting', message: DELETING_MESSAGE };

/** Reasons that a plain `Reconciling` may replace once all checks have passed. */
const WAITING_REASONS = new Set([
  'ReferenceNotFound',
  'SecretNotFound',
  'ConfigMapNotFound',
  'AzureResourceNotFound',
  'WaitingForOwner',
  'CacheNotSynced',
  'KindNotWatched',
]);

export function readyOf(object: KubernetesObject | undefined): Condition | undefined {
  return object?.status?.conditions?.find((condition) => condition.type === READY);
}

export function isReady(object: KubernetesObject | undefined): boolean {
  return readyOf(object)?.status === 'True';
}

/**
 * The object with the Ready condition, where the overwrite rules (docs/spec/conditions.md#overwrite-rules) let the new one replace the old
 * one. `reasonAware`: the mode in which `Reconciling` replaces an older "not found".
 *
 * Unlike ASO's, `lastTransitionTime` moves only when status, severity, reason or message change: a new generation with the same state
 * keeps its time.
 */
export function withReady(object: KubernetesObject, state: ReadyState, now: number, reasonAware = false): KubernetesObject {
  const conditions = object.status?.conditions ?? [];
  const index = conditions.findIndex((condition) => condition.type === READY);
  const old = index < 0 ? undefined : conditions[index];
  const next = conditionOf(withinLimits(state), object.metadata.generation, now, old);
  if (old && !mayReplace(old, next, reasonAware)) return object;
  const list = old ? conditions.with(index, next) : [...conditions, next];
  return { ...object, status: { ...object.status, conditions: list } };
}

/** Removes an error that was not to be retried: its cause has gone, but the overwrite rules would let no `Info` replace it. */
export function withoutFatal(object: KubernetesObject): KubernetesObject {
  return without(object, ({ severity }) => severity === 'Error');
}

/** Removes the failure of an earlier reconcile, which the overwrite rules would keep. */
export function withoutFailure(object: KubernetesObject): KubernetesObject {
  return without(object, ({ severity }) => severity !== 'Info');
}

function without(object: KubernetesObject, isMeant: (ready: Condition) => boolean): KubernetesObject {
  const conditions = object.status?.conditions;
  const ready = readyOf(object);
  if (!conditions || ready?.status !== 'False' || !isMeant(ready)) return object;
  return { ...object, status: { ...object.status, conditions: conditions.filter((condition) => condition !== ready) } };
}

/** The object with the time of the stored condition, where the condition is the same after a reconcile that had replaced it meanwhile. */
export function withStoredTime(object: KubernetesObject, stored: KubernetesObject): KubernetesObject {
  const [old, ready] = [readyOf(stored), readyOf(object)];
  if (!old || !ready || old.lastTransitionTime === ready.lastTransitionTime || !sameState(old, ready)) return object;
  const conditions = object.status!.conditions!.with(
    object.status!.conditions!.indexOf(ready), { ...ready, lastTransitionTime: old.lastTransitionTime },
  );
  return { ...object, status: { ...object.status, conditions } };
}

/** Whether the new element replaces the old one. */
export function mayReplace(old: Condition, next: Condition, reasonAware: boolean): boolean {
  if ((next.observedGeneration ?? 0) > (old.observedGeneration ?? 0)) return true;
  if (sameState(old, next) && old.observedGeneration === next.observedGeneration) return false;
  if (priorityOf(next) >= priorityOf(old)) return true;
  return reasonAware && reasonPriorityOf(next.reason) > reasonPriorityOf(old.reason);
}

function conditionOf(state: ReadyState, generation: number | undefined, now: number, old: Condition | undefined): Condition {
  const unchanged = old !== undefined && sameState(old, state);
  return {
    type: READY,
    status: state.status,
    ...(state.status !== 'True' && state.severity ? { severity: state.severity } : {}),
    lastTransitionTime: unchanged ? old.lastTransitionTime : wholeSeconds(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    reason: state.reason,
    ...(state.message ? { message: state.message } : {}),
  };
}

/** Truncates the message: with a longer one the API server would refuse the whole status. */
function withinLimits(state: ReadyState): ReadyState {
  return { ...state, message: truncate(escapeUnseen(truncate(state.message, TEXT_LIMITS.condition)), TEXT_LIMITS.condition) };
}

type ConditionState = Pick<Condition, 'status' | 'severity' | 'reason' | 'message'>;

function sameState(a: ConditionState, b: ConditionState): boolean {
  return (
    a.status === b.status && (a.severity ?? '') === (b.severity ?? '') && a.reason === b.reason && (a.message ?? '') === (b.message ?? '')
  );
}

function priorityOf(condition: ConditionState): number {
  if (condition.status === 'Unknown') return 3;
  return condition.status === 'False' && condition.severity === 'Info' ? 4 : 5;
}

function reasonPriorityOf(reason: string): number {
  if (WAITING_REASONS.has(reason)) return -2;
  return reason === 'Reconciling' ? -1 : 0;
}

/** UTC, whole seconds, as Kubernetes writes times. */
export function wholeSeconds(now: number): string {
  // For years with four digits, as in Kubernetes.
  return `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z`;
}
