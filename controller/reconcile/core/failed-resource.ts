import { createHash } from 'node:crypto';
import { wholeSeconds } from './conditions';
import { fatal, warning, type Failure } from './failure';
import type { Observed } from './observed';
import { withRefusal } from './put-record';
import { REPAIR, withoutPeaceful } from './repeated-drift';
import { describeResourceError } from '../../../engine/arm/resource-error';
import type { ResourceState } from '../../../engine/kinds/resource-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf, withLastApplied, type Correction } from '../../../engine/objects/last-applied';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import type { EventText } from '../../../runtime/events/event-text';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { capitalized } from '../../../src/util/words';

const MINUTE = 60_000;
/** Milliseconds between a PUT that was to repair a resource and the next one. */
const DELAYS = [MINUTE, 5 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];
const LONGEST_DELAY = 12 * 60 * MINUTE;
/** After so many PUTs in vain the condition is an Error: somebody has to look. */
const PROMPT_REPAIRS = 2;
/** Reads of a failed resource that is not sent before they are as rare as syncs. */
const PROMPT_READS = 5;
/** The form of a condition's reason. */
const REASON = /^[A-Za-z]([A-Za-z0-9_]*[A-Za-z0-9])?$/;

/** PUTs that are to repair a resource are counted with the corrections of its properties. */
export interface RepairPlan {
  readonly corrected: Readonly<Record<string, Correction>>;
  /** Time from which the PUT may be sent. Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Whether and when a failed resource is sent again; undefined: no PUT brings it back. */
export function planRepair({ object, now, traits: { timeScale = 1 } }: Observed, state: ResourceState): RepairPlan | undefined {
  if (state.repair !== 'put') return undefined;
  const record = lastAppliedOf(object);
  // A new spec is a new attempt.
  const before = record?.generation === object.metadata.generation ? withoutPeaceful(record?.corrected ?? {}, now) : {};
  const last = before[REPAIR];
  const mark = createHash('sha256').update(state.word ?? '').digest('base64url').slice(0, 12);
  const corrected = { ...before, [REPAIR]: { mark, times: (last?.times ?? 0) + 1, at: now } };
  return { corrected, dueAt: last ? last.at + (DELAYS[last.times - 1] ?? LONGEST_DELAY) / timeScale : now };
}

export function repairEvent(state: ResourceState): EventText {
  return { type: 'Normal', reason: 'Repair', message: `${stateText(state)}; sending the resource again` };
}

/**
 * The failure of an object whose resource has failed in Azure, however its last request ended: Azure's reason, and what happens next.
 */
export function stateFailure(observed: Observed, state: ResourceState): Failure {
  const { object, policy, failures, now, syncPeriod = Infinity } = observed;
  const id = annotation(object, RESOURCE_ID) ?? '';
  const what = `${stateText(state)}${state.error ? `: ${describeResourceError(state.error)}` : ''} ("${id}")`;
  const reason = capitalized([state.error?.code, state.word].find((text) => text !== undefined && REASON.test(text)) ?? 'Failed');
  const seldom = failures >= PROMPT_READS ? 'verySlow' : 'slow';
  if (!allowsModification(policy)) {
    return warning(reason, `${what}. The reconcile policy ${policy} keeps this controller from changing it; it is read again regularly`, seldom);
  }
  const plan = planRepair(observed, state);
  if (!plan) {
    return state.repair === 'delete'
      ? fatal(reason, `${what}. Azure takes no update of such a resource: delete it, and create it anew. This controller does not delete it by itself`)
      : warning(reason, `${what}. Sending it again would not bring it back; it is read again regularly`, seldom);
  }
  const sent = (plan.corrected[REPAIR]?.times ?? 1) - 1;
  const next = sent === 0
    ? 'It is sent again'
    : `It was sent again ${sent === 1 ? 'once' : `${sent} times`}, and is not before ${wholeSeconds(plan.dueAt)}`;
  const failure = (sent >= PROMPT_REPAIRS ? fatal : warning)(reason, `${what}. ${next}`);
  return { ...failure, retryAfterSeconds: Math.max(Math.ceil((Math.min(plan.dueAt - now, syncPeriod)) / 1000), 1) };
}

/** Operations of one spec that fail before the next one waits longer than its error asks for. */
const PROMPT_OPERATIONS = 3;
const OPERATION_DELAYS = [5 * MINUTE, 15 * MINUTE];
const LONGEST_OPERATION_DELAY = 60 * MINUTE;

/** Records that the operation of a PUT has failed: each one costs Azure work, and the next one is likely to fail too. */
export function withFailedOperation({ object, now }: Pick<Observed, 'object' | 'now'>): KubernetesObject {
  const before = lastAppliedOf(object);
  const refused = withRefusal(object);
  const record = lastAppliedOf(refused);
  if (!record) return refused;
  const isSameSpec = before?.generation === object.metadata.generation;
  const last = isSameSpec ? withoutPeaceful(before?.corrected ?? {}, now)[REPAIR] : undefined;
  return withLastApplied(refused, { ...record, corrected: { [REPAIR]: { mark: '', times: (last?.times ?? 0) + 1, at: now } } });
}

/** The failure of an operation, with the time before which the next one is not begun. */
export function boundedFailure({ object, traits: { timeScale = 1 } }: Observed, failure: Failure): Failure {
  const failed = lastAppliedOf(object)?.corrected?.[REPAIR];
  if (!failed || failed.times <= PROMPT_OPERATIONS || failure.severity === 'Error') return failure;
  const delayMs = (OPERATION_DELAYS[failed.times - PROMPT_OPERATIONS - 1] ?? LONGEST_OPERATION_DELAY) / timeScale;
  const retryAfterSeconds = Math.max(Math.ceil(delayMs / 1000), failure.retryAfterSeconds ?? 0);
  const message = `${failure.message} (operations that failed one after the other: ${failed.times}; the next one begins not before ${wholeSeconds(failed.at + delayMs)})`;
  return { ...failure, message, retryAfterSeconds };
}

/** `Azure reports the state Disabled (Azure has taken it out of service)`. */
function stateText({ word, meaning }: ResourceState): string {
  return `Azure reports the state ${word ?? 'Failed'}${meaning ? ` (${meaning})` : ''}`;
}
