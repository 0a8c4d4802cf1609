import { readObject, readResource, wholeResource } from '../../../engine/arm/arm-reader';
import { running } from '../../../engine/arm/operation';
import { provisioningStateOf, resourceOutcomeOf } from '../../../engine/arm/operation-status';
import { pollOperation } from '../../../engine/arm/poll-operation';
import { ArmError, type ArmRequest, type OperationState } from '../../../engine/arm/types';
import { isMarkOf } from '../../../engine/compare';
import { membersNeeded } from '../../../engine/kinds';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { Action, Existing, Observed, Outcome } from '../core/observed';
import { longestUsualPutMs } from '../core/poll-delay';
import { resolveDesired } from '../resolve-desired';
import { armClientOf, kindHooksOf, type ActionContext } from './action-context';
import { rethrowAbort } from './action-errors';
import { operationOutcome } from './operation-outcome';
import { existingOf, membersNeededFor, type RequestBody } from './read-resource';

type Poll = Extract<Action, { do: 'poll' }>;
type PollOutcome = Extract<Outcome, { of: 'poll' | 'put'; step: unknown }>;

/** The word in a token for which the answer to the PUT had no state of the resource. */
const NO_STATE = 'InProgress';
/** The operation itself is asked after so many times its usual time, and a minute: only it certainly has an end. */
const TIMES_USUAL = 2;
const SHORTEST_MS = 60_000;

/**
 * Polls an operation once. Where one answer can show both the end of the operation and the resource, that is asked first: the `Location`
 * of an operation whose PUT was answered without the resource, or the resource itself if it has shown that it is being made. Any answer
 * that does not certainly show either leads to the poll of the operation in the same reconcile.
 */
export async function pollPut(context: ActionContext, action: Poll, observed: Observed): Promise<Outcome> {
  const { state, since } = action;
  const { signal, now } = context;
  const shown = mayShowResource(action, observed) ? await askForResource(context, state, observed) : undefined;
  if (shown) return shown;
  const step = await pollOperation(armClientOf(context), state, signal, { now: now(), since });
  const outcome = operationOutcome('poll', step, kindHooksOf(context).adjust);
  if (step.kind !== 'succeeded' || state.method !== 'PUT') return outcome;
  const existing = await resourceIn(context, step.result, observed);
  return existing ? { ...outcome, existing } as Outcome : outcome;
}

/** Whether one answer can show the end of the operation and the resource, and is due. */
function mayShowResource({ state, since }: Poll, { object, traits, now }: Observed): boolean {
  const { canCompare, timeScale = 1 } = traits;
  const usualMs = longestUsualPutMs({ traits });
  if (state.method !== 'PUT' || state.style !== 'azure-asyncoperation' || !canCompare || usualMs === undefined) return false;
  if (object.metadata.deletionTimestamp !== undefined || since === undefined) return false;
  return now - since <= Math.max(TIMES_USUAL * usualMs, SHORTEST_MS / timeScale);
}

async function askForResource(context: ActionContext, state: OperationState, observed: Observed): Promise<PollOutcome | undefined> {
  try {
    if (state.state !== NO_STATE) return await askResource(context, state, observed);
    return state.locationUrl === undefined ? undefined : await askLocation(context, state, state.locationUrl, observed);
  } catch (error) {
    if (!(rethrowAbort(error, context.signal) instanceof ArmError)) throw error;
    return undefined;
  }
}

/** The answer to the PUT had the state of the resource: while the operation runs, the resource has it too. */
async function askResource(context: ActionContext, state: OperationState, observed: Observed): Promise<PollOutcome | undefined> {
  // Where the resource in Azure lags behind, a comparison tells, unless all that has changed is hidden.
  const record = lastAppliedOf(observed.object);
  if (record?.hidden !== '' || !record.answered) return undefined;
  const request: ArmRequest = { method: 'GET', url: state.originalUrl, purpose: 'poll' };
  const response = await armClientOf(context).send(request, context.signal);
  const answer = readResource(request, response, { needs: membersNeeded(context.version), now: context.now() });
  const word = answer && provisioningStateOf(answer);
  if (!answer || word === undefined) return undefined;
  const outcome = resourceOutcomeOf(word);
  if (outcome === 'running') return { of: 'poll', step: running(state, response, context.now()) };
  const existing = outcome === 'succeeded' ? await existingOf(context, answer, 'refresh', observed, undefined) : undefined;
  const isResult = existing?.comparison?.digest === record.digest
    && existing.comparison.drift.every((one) => isMarkOf(record.known?.[one.path], one) || isMarkOf(record.shown?.[one.path], one));
  return existing && isResult ? { of: 'poll', step: { kind: 'succeeded' }, existing } : undefined;
}

/**
 * `Location` answers 202 until the operation has ended, then with the resource.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations
 */
async function askLocation(
  context: ActionContext, state: OperationState, url: string, observed: Observed,
): Promise<PollOutcome | undefined> {
  const response = await armClientOf(context).send({ method: 'GET', url, purpose: 'poll', isFromAnswer: true }, context.signal);
  if (response.status === 202) return { of: 'poll', step: running(state, response, context.now()) };
  const existing = await resourceIn(context, readObject({ method: 'GET', url }, response), observed);
  return existing && { of: 'poll', step: { kind: 'succeeded' }, existing };
}

/**
 * The resource after the end of its operation, if the answer has all of it.
 * @param resolved body of the PUT, where this reconcile has resolved it
 */
export async function resourceIn(
  context: ActionContext, answer: unknown, observed: Observed, resolved?: RequestBody,
): Promise<Existing | undefined> {
  const { version } = context;
  if (!version.supports('GET')) return undefined;
  const url = annotation(observed.object, RESOURCE_ID) ?? '';
  const body = resolved ?? bodyOf(context, observed);
  const resource = wholeResource({ method: 'GET', url }, answer, body ? membersNeededFor(version, body) : membersNeeded(version));
  const existing = resource && await existingOf(context, resource, 'refresh', observed, resolved);
  return existing?.state.outcome === 'succeeded' ? existing : undefined;
}

/** The body that the spec means now; undefined where it cannot be resolved any more. */
function bodyOf(context: ActionContext, { object }: Observed): RequestBody | undefined {
  const { version, lookup, signal } = context;
  try {
    return resolveDesired(object, version, lookup, armClientOf(context).subscriptionId).body;
  } catch (error) {
    rethrowAbort(error, signal);
    return undefined;
  }
}
