import { armErrorFrom, errorOfBody, isUnreadable, unreadable } from './arm-error';
import { failure, pollingUrl, running } from './operation';
import { hasError, operationStatusOf, outcomeOf, provisioningStateOf } from './operation-status';
import type { ArmClient, ArmResponse, OperationState, OperationStep } from './types';
import { ArmError } from './types';

/** Code of an ArmError for a URL that the client refuses to send the token to. */
export const FOREIGN_URL_CODE = 'OperationUrlRefused';
const TRANSIENT = new Set([401, 408, 425, 429, 500, 502, 503, 504]);
/** The operation cannot be asked any more (expired, or reading it needs rights beyond the resource's), but the resource can. */
const UNREADABLE = new Set([403, 404, 405, 410]);

/**
 * Asks once how an operation is getting on: one request, and never an exception but for an abort (conditions.md 7.2).
 *
 * A poll that fails does not fail the operation, as it does in the original: after network errors, throttling and 5xx the step is still
 * `running`, with the cause in `transient`. An operation that is gone is replaced by watching the resource itself.
 */
export async function pollOperation(client: ArmClient, state: OperationState, signal?: AbortSignal, now?: number): Promise<OperationStep> {
  let response: ArmResponse;
  try {
    response = await client.send({ method: 'GET', url: state.pollUrl, headers: { accept: 'application/json' }, purpose: 'poll' }, signal);
  } catch (error) {
    if (signal?.aborted || !(error instanceof ArmError)) throw error;
    if (error.code === FOREIGN_URL_CODE) return state.style === 'body' ? { kind: 'failed', error } : watchResource(state, error);
    return { kind: 'running', state, transient: error };
  }
  return stepOf(state, response, now);
}

/** What an answer to a poll means. Pure. */
export function stepOf(state: OperationState, response: ArmResponse, now?: number): OperationStep {
  const { status } = response;
  if (status >= 200 && status < 300) {
    if (isUnreadable(response)) {
      const cause = unreadable(response, { method: 'GET', url: state.pollUrl });
      return state.style === 'body' ? { kind: 'running', state, transient: cause } : watchResource(state, cause);
    }
    if (state.style === 'body') return stepOfResource(state, response, now);
    return state.style === 'location' ? stepOfLocation(state, response, now) : stepOfStatus(state, response, now);
  }
  const error = armErrorFrom(response, { method: 'GET', url: state.pollUrl }, now);
  if (TRANSIENT.has(status) || status > 504) return { ...running(state, response, now), transient: error };
  if (state.style === 'body') return status === 404 && state.method === 'DELETE' ? { kind: 'succeeded' } : { kind: 'failed', error };
  // Some providers answer the poll itself with the operation's own error; only an answer about the URL means that it is unreadable.
  return UNREADABLE.has(status) ? watchResource(state, error) : { kind: 'failed', error };
}

/** Azure-AsyncOperation and Operation-Location: the body's `status` tells. */
function stepOfStatus(state: OperationState, response: ArmResponse, now?: number): OperationStep {
  const { status, body } = response;
  // The operation had ended already, and this is the answer of what it made.
  if (outcomeOf(state.state) === 'succeeded' && state.pollUrl === state.locationUrl && status !== 202) return { kind: 'succeeded', result: body };
  const word = operationStatusOf(body) ?? (status === 204 ? 'Succeeded' : undefined);
  if (word === undefined) {
    if (status === 202) return running(state, response, now);
    return watchResource(state, new ArmError('UnknownError', 'the answer of the operation did not contain a status', status));
  }
  const outcome = outcomeOf(word);
  if (outcome === 'failed') return failure(body, status, word);
  if (outcome === 'running') return running({ ...state, state: word }, response, now);
  // What a POST was for is at its Location: one more GET, in the next step.
  if (state.method === 'POST' && state.locationUrl && state.locationUrl !== state.pollUrl) return running({ ...state, pollUrl: state.locationUrl, state: word }, undefined, now);
  return { kind: 'succeeded', ...(state.method === 'POST' ? { result: body } : {}) };
}

/** Location: the status code tells, unless the body has a provisioningState. */
function stepOfLocation(state: OperationState, response: ArmResponse, now?: number): OperationStep {
  const { status, body, headers } = response;
  const next = { ...state, pollUrl: pollingUrl(headers.location) ?? state.pollUrl };
  const word = provisioningStateOf(body);
  const outcome = word === undefined ? (status === 202 ? 'running' : 'succeeded') : outcomeOf(word);
  if (outcome === 'failed') return failure(body, status, word!);
  if (outcome === 'running') return running({ ...next, state: word ?? state.state }, response, now);
  return { kind: 'succeeded', ...(state.method === 'POST' ? { result: body } : {}) };
}

/** The resource itself: its provisioningState tells. */
function stepOfResource(state: OperationState, response: ArmResponse, now?: number): OperationStep {
  const { status, body } = response;
  const word = provisioningStateOf(body);
  if (state.method === 'DELETE') {
    if (status === 204) return { kind: 'succeeded' };
    if (word !== undefined && outcomeOf(word) === 'running') return running({ ...state, state: word }, response, now);
    const message = 'the operation that deletes the resource has ended and the resource is still there';
    return { kind: 'failed', error: hasError(body) ? errorOfBody(body, status) : new ArmError('DeleteOperationLost', message, status) };
  }
  const outcome = word === undefined ? 'succeeded' : outcomeOf(word);
  if (outcome === 'failed') return failure(body, status, word!);
  return outcome === 'succeeded' ? { kind: 'succeeded' } : running({ ...state, state: word! }, response, now);
}

/** Goes over to GETs on the resource, where that can tell of the end; what a POST did, the resource does not show. */
function watchResource(state: OperationState, cause: ArmError): OperationStep {
  if (state.method === 'POST') return { kind: 'failed', error: cause };
  const { method, originalUrl } = state;
  return { kind: 'running', state: { style: 'body', method, originalUrl, pollUrl: originalUrl, state: state.state }, transient: cause };
}
