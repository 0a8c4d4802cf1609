import { armErrorFrom, errorOfBody, foreign, isEmpty, isSigned, isUnreadable, opened, unreadable } from './arm-error';
import { isAbsent, writtenResource } from './arm-reader';
import { textMember } from './json';
import { failure, pollingUrl, running } from './operation';
import { hasError, operationStatusOf, outcomeOf, provisioningStateOf, resourceOutcomeOf, type Outcome } from './operation-status';
import type { ArmClient, OperationState, OperationStep, RawAnswer } from './types';
import { ArmError } from './types';
import { isRecord } from '../../src/util/records';

/** Code of an ArmError for a URL that the client refuses to send the token to. */
export const FOREIGN_URL_CODE = 'OperationUrlRefused';
/** Code of an ArmError for an answer that says two things at once. */
export const CONTRADICTION_CODE = 'ContradictoryAnswer';
const TRANSIENT = new Set([401, 408, 425, 429, 500, 502, 503, 504]);
/** The operation can no longer be read (it expired, or reading it needs rights beyond the resource's), but the resource can. */
const UNREADABLE = new Set([403, 404, 405, 410]);

/**
 * Azure's answers are eventually consistent. For this time (milliseconds) after the request was accepted, the operation URL may be unknown
 * (404), a new resource may be unknown, and a resource under deletion may look unchanged: nothing is concluded from that.
 */
const URL_LAG = 20_000;
const RESOURCE_LAG = 5 * 60_000;

/** Times of a poll, in milliseconds since the epoch. */
export interface PollTime {
  readonly now?: number;
  /** Time at which Azure accepted the request. Absent: unknown, so a long time ago. */
  readonly since?: number | undefined;
}

/**
 * Polls an operation once; throws only on an abort (docs/spec/arm.md#polling). One request; a second one where a deletion has ended: it is
 * done when Azure says that the resource is not there.
 *
 * A failed poll does not fail the operation, as it does in ASO: after network errors, throttling and 5xx the step is still `running`, with
 * the cause in `transient`. When an operation is gone, the resource itself is polled instead.
 */
export async function pollOperation(
  client: ArmClient,
  state: OperationState,
  signal?: AbortSignal,
  time: PollTime = {},
): Promise<OperationStep> {
  let response: RawAnswer;
  try {
    const isFromAnswer = state.style !== 'body';
    response = await client.send(
      { method: 'GET', url: state.pollUrl, headers: { accept: 'application/json' }, purpose: 'poll', isFromAnswer },
      signal,
    );
  } catch (error) {
    if (signal?.aborted || !(error instanceof ArmError)) throw error;
    if (error.code === FOREIGN_URL_CODE) return state.style === 'body' ? { kind: 'failed', error } : watchResource(state, error);
    return { kind: 'running', state, transient: error };
  }
  const step = stepOf(state, response, time);
  const isOver = step.kind === 'succeeded' && state.method === 'DELETE' && state.style !== 'body';
  return isOver ? afterDeletion(client, watched(state), signal) : step;
}

/** Operations of deletions have succeeded while the resource stayed (https://github.com/hashicorp/terraform-provider-azurerm/issues/25462). */
async function afterDeletion(client: ArmClient, state: OperationState, signal: AbortSignal | undefined): Promise<OperationStep> {
  try {
    const asked = { method: 'GET', url: state.pollUrl, headers: { accept: 'application/json' }, purpose: 'poll' } as const;
    const response = await client.send(asked, signal);
    if (isAbsent(asked, response)) return { kind: 'succeeded' };
    // Without the right to read it, or where there is no GET, the operation is the only evidence.
    const isRefused = response.status === 403 || response.status === 405;
    return isRefused && isSigned(response) ? { kind: 'succeeded' } : running(state, response);
  } catch (error) {
    if (signal?.aborted || !(error instanceof ArmError)) throw error;
    return { kind: 'running', state, transient: error };
  }
}

/** The step for an answer to a poll. Pure. */
export function stepOf(state: OperationState, response: RawAnswer, time: PollTime = {}): OperationStep {
  const { status } = response;
  const { now } = time;
  if (status >= 200 && status < 300) {
    if (isUnreadable(response)) {
      const cause = unreadable(response, { method: 'GET', url: state.pollUrl });
      return state.style === 'body' ? { kind: 'running', state, transient: cause } : watchResource(state, cause);
    }
    if (state.style === 'body') return stepOfResource(state, response, time);
    if (provesNothing(state, response)) {
      const cause = unreadable(response, { method: 'GET', url: state.pollUrl });
      // The effect of a POST is not visible on the resource: only its operation tells.
      return state.method === 'POST' ? { kind: 'running', state, transient: cause } : watchResource(state, cause);
    }
    return state.style === 'location' ? stepOfLocation(state, response, now) : stepOfStatus(state, response, now);
  }
  const error = armErrorFrom(response, { method: 'GET', url: state.pollUrl }, now);
  if (TRANSIENT.has(status) || status > 504) return { ...running(state, response, now), transient: error };
  if (state.style === 'body' && state.method !== 'DELETE' && status === 404 && isWithin(RESOURCE_LAG, time)) {
    return running(state, response, now);
  }
  if (state.style === 'body') return stepOfRefusedLook(state, response, error, now);
  if (status === 404 && isWithin(URL_LAG, time)) return running(state, response, now);
  // Some providers answer the poll with the operation's own error; only an error about the URL means that the operation is unreadable.
  return UNREADABLE.has(status) ? watchResource(state, error) : { kind: 'failed', error };
}

/** Azure may end an operation with an empty answer, and so may a proxy: an unsigned one proves no end. */
function provesNothing(state: OperationState, response: RawAnswer): boolean {
  if (response.status === 202 || isSigned(response)) return false;
  return isEmpty(response)
    || (state.method === 'DELETE' && state.style === 'location' && operationStatusOf(opened(response).body) === undefined);
}

/**
 * The step when the resource itself cannot be read. A deletion has ended only if Azure reports that the resource is absent; a proxy may
 * answer anything.
 */
function stepOfRefusedLook(state: OperationState, response: RawAnswer, error: ArmError, now?: number): OperationStep {
  if (state.method === 'DELETE' && isAbsent({ method: 'GET', url: state.pollUrl }, response)) return { kind: 'succeeded' };
  return error.extra.unstructured ? { ...running(state, response, now), transient: error } : { kind: 'failed', error };
}

/** Azure-AsyncOperation and Operation-Location: the `status` of the body decides. */
function stepOfStatus(state: OperationState, response: RawAnswer, now?: number): OperationStep {
  const { status, body } = opened(response);
  // The operation has already ended, and this is the answer with its result.
  if (outcomeOf(state.state) === 'succeeded' && state.pollUrl === state.locationUrl && status !== 202) {
    return { kind: 'succeeded', result: body };
  }
  const word = operationStatusOf(body) ?? (status === 204 ? 'Succeeded' : undefined);
  if (word === undefined) {
    if (status === 202) return running(state, response, now);
    return watchResource(state, new ArmError('UnknownError', 'the answer of the operation did not contain a status', status));
  }
  const outcome = outcomeOf(word);
  if (outcome === 'failed') return failure(opened(response), word);
  if (outcome === 'running') return running({ ...state, state: word }, response, now);
  const contradiction = contradictionIn(state, response, word);
  if (contradiction) return contradiction;
  // The result of a POST is at its Location: the next step fetches it with a GET.
  if (state.method === 'POST' && state.locationUrl && state.locationUrl !== state.pollUrl) {
    return running({ ...state, pollUrl: state.locationUrl, state: word }, undefined, now);
  }
  return { kind: 'succeeded', ...(state.method === 'POST' ? { result: body } : {}) };
}

/** Location: the status code decides, unless the body has the state of the resource, of the operation, or an error. */
function stepOfLocation(state: OperationState, response: RawAnswer, now?: number): OperationStep {
  const { status, body, headers } = opened(response);
  const next = { ...state, pollUrl: pollingUrl(headers.location) ?? state.pollUrl };
  const { word, outcome } = worstOf(provisioningStateOf(body), textMember(body, 'status')) ?? { outcome: status === 202 ? 'running' : 'succeeded' };
  if (outcome === 'failed') return failure(opened(response), word!);
  if (outcome === 'running') return running({ ...next, state: word ?? state.state }, response, now);
  const contradiction = contradictionIn(state, response, word);
  if (contradiction) return contradiction;
  return { kind: 'succeeded', ...(state.method === 'DELETE' ? {} : { result: body }) };
}

interface Reported {
  readonly word?: string;
  readonly outcome: Outcome;
}

/** Of the states of the resource and of the operation in one answer, the one counts that promises less. */
function worstOf(ofResource: string | undefined, ofOperation: string | undefined): Reported | undefined {
  const reported: readonly Reported[] = [
    ...(ofResource === undefined ? [] : [{ word: ofResource, outcome: resourceOutcomeOf(ofResource) }]),
    ...(ofOperation === undefined ? [] : [{ word: ofOperation, outcome: outcomeOf(ofOperation) }]),
  ];
  const worse = ['failed', 'running', 'succeeded'];
  return [...reported].sort((a, b) => worse.indexOf(a.outcome) - worse.indexOf(b.outcome))[0];
}

/**
 * An answer that reports a success and an error at once. Without a word for the success the error counts; with one the resource is asked,
 * and what cannot be asked has failed.
 */
function contradictionIn(state: OperationState, response: RawAnswer, word: string | undefined): OperationStep | undefined {
  const { status, body, headers } = opened(response);
  if (!hasError(body)) return undefined;
  const error = errorOfBody(body, status, undefined, headers['x-ms-request-id']);
  if (word === undefined || state.method === 'POST') return { kind: 'failed', error };
  const message = `the operation reports the state ${word} and an error at once: ${error.code}: ${error.message}`;
  return watchResource(state, new ArmError(CONTRADICTION_CODE, message, status));
}

/** The resource itself: its provisioningState decides. */
function stepOfResource(state: OperationState, response: RawAnswer, time: PollTime): OperationStep {
  const { status, body } = opened(response);
  const { now } = time;
  if (status !== 204 || state.method !== 'DELETE' || !isSigned(response)) {
    const problem = notTheResource(state, response);
    if (problem) return { ...running(state, response, now), transient: problem };
  }
  const word = provisioningStateOf(body);
  if (state.method === 'DELETE') {
    if (status === 204) return { kind: 'succeeded' };
    const seen = word === undefined ? 'succeeded' : resourceOutcomeOf(word);
    if (seen === 'running') return running({ ...state, state: word! }, response, now);
    if (isWithin(RESOURCE_LAG, time) && !hasError(body) && seen !== 'failed') {
      return running(state, response, now);
    }
    const message = 'the operation that deletes the resource has ended and the resource is still there';
    return { kind: 'failed', error: hasError(body) ? errorOfBody(body, status, undefined, response.headers['x-ms-request-id']) : new ArmError('DeleteOperationLost', message, status) };
  }
  const outcome = word === undefined ? 'succeeded' : resourceOutcomeOf(word);
  if (outcome === 'failed') return failure(opened(response), word!);
  return outcome === 'succeeded' ? { kind: 'succeeded', result: body } : running({ ...state, state: word! }, response, now);
}

/** The error when an answer is not about the resource; it then proves no end either. The resource is read again after the end. */
function notTheResource(state: OperationState, response: RawAnswer): ArmError | undefined {
  const asked = { method: 'GET', url: state.pollUrl, purpose: 'poll' } as const;
  const { body } = opened(response);
  if (!isRecord(body)) return response.status === 202 ? undefined : unreadable(response, asked);
  return writtenResource(asked, response) ? undefined : foreign(response, asked, 'it does not say that it is this resource');
}

function isWithin(lag: number, { now, since }: PollTime): boolean {
  return now !== undefined && since !== undefined && now - since < lag;
}

/** Switches to GETs on the resource, where these can show the end; the effect of a POST is not visible on the resource. */
function watchResource(state: OperationState, cause: ArmError): OperationStep {
  if (state.method === 'POST') return { kind: 'failed', error: cause };
  return { kind: 'running', state: watched(state), transient: cause };
}

function watched({ method, originalUrl, state }: OperationState): OperationState {
  return { style: 'body', method, originalUrl, pollUrl: originalUrl, state };
}
