import { armErrorFrom, errorOfBody, isEmpty, isSigned, isUnreadable, opened, UNKNOWN_CODE, unreadable } from './arm-error';
import { textMember } from './json';
import { hasError, operationStatusOf, outcomeOf, provisioningStateOf, resourceOutcomeOf } from './operation-status';
import { resourceErrorIn } from './resource-error';
import { retryAfterSeconds } from './retry-after';
import type { ArmRequest, ArmResponse, OperationFailed, OperationRunning, OperationState, OperationStep, RawAnswer } from './types';
import { ArmError } from './types';
import { capitalized } from '../../src/util/words';
import { oneLine } from '../text-limits';

/**
 * The meaning of the answer to a PUT, PATCH, POST or DELETE: done, failed, or an operation to poll (docs/spec/arm.md#operation-style).
 *
 * The answer is taken literally, which ASO does not always do:
 * - an immediate 200 or 201 whose provisioningState is `Failed` or `Canceled` is a failure;
 * - `Location` names an operation only with 202. With 200 and 201 it names the resource, and is often relative (managed identities);
 * - a 200 or 201 without provisioningState is finished, as ARM's rules for providers say;
 * - a body that is not JSON is a failure, whatever the status: a log-in page must not count as a deletion;
 * - an empty or unreadable polling URL is ignored: the resource itself is polled instead.
 *
 * No GET on the resource follows a finished PUT: the status refresh that comes next is that GET.
 */
export function beginOperation(request: ArmRequest, response: RawAnswer, now?: number): OperationStep {
  const { status, body } = opened(response);
  if (![200, 201, 202, 204].includes(status)) return { kind: 'failed', error: armErrorFrom(response, request, now) };
  if (isUnreadable(response)) return { kind: 'failed', error: unreadable(response, request) };
  const state = operationOf(request, response);
  // A proxy answers so too. Of a deletion the resource itself tells; anything else may have been lost.
  if (request.method !== 'DELETE' && status !== 202 && isEmpty(response) && !isSigned(response)) {
    return { kind: 'failed', error: unreadable(response, request) };
  }
  if (status === 204) return { kind: 'succeeded' };
  if (status !== 202 && hasError(body) && textMember(body, 'id') === undefined) return failure(opened(response), 'Failed');
  if (status !== 202) {
    const isOfOperation = state.style === 'operation-location';
    const outcome = isOfOperation ? outcomeOf(state.state) : resourceOutcomeOf(state.state);
    if (outcome === 'failed') {
      // The state before the operation, which may repair it.
      if (state.style === 'azure-asyncoperation') return running({ ...state, state: 'InProgress' }, response, now);
      return failure(opened(response), state.state);
    }
    if (outcome === 'succeeded') return { kind: 'succeeded', ...(request.method === 'POST' ? { result: body } : {}) };
  }
  if (state.style === 'body' && request.method === 'POST') {
    const message = `Azure accepted ${request.method} (HTTP 202) without a polling URL, so its end cannot be watched`;
    return { kind: 'failed', error: new ArmError('UnknownError', message, status) };
  }
  return running(state, response, now);
}

export function running(state: OperationState, response?: RawAnswer, now?: number): OperationRunning {
  const wait = response && retryAfterSeconds(response.headers, now);
  return { kind: 'running', state, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) };
}

/** A failed operation: its error is the error object of the body, or that of the resource; without one the state is code and message. */
export function failure({ body, status, headers }: ArmResponse, state: string): OperationFailed {
  const requestId = headers['x-ms-request-id'];
  if (hasError(body)) return { kind: 'failed', error: errorOfBody(body, status, undefined, requestId) };
  const shown = resourceErrorIn(body, true);
  const code = shown?.code ?? (/^[A-Za-z]{1,100}$/.test(state) ? capitalized(state) : UNKNOWN_CODE);
  const message = shown?.message ?? `Azure reports the state ${oneLine(state, 100)} without saying why`;
  return { kind: 'failed', error: new ArmError(code, message, status, undefined, undefined, undefined, { requestId }) };
}

/** A polling URL in the form that is stored: absolute, or a path; undefined when it is neither. */
export function pollingUrl(text: string | undefined): string | undefined {
  const url = text?.trim();
  if (!url || /[\s\\]/.test(url)) return undefined;
  if (/^\/(?!\/)/.test(url)) return url;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

function operationOf(request: ArmRequest, answer: RawAnswer): OperationState {
  const { status, headers, body } = opened(answer);
  const common = { method: request.method, originalUrl: withApiVersion(request) };
  const location = status === 202 ? pollingUrl(headers.location) : undefined;
  const locationUrl = location === undefined ? {} : { locationUrl: location };
  const asyncUrl = pollingUrl(headers['azure-asyncoperation']);
  const operationUrl = pollingUrl(headers['operation-location']);
  const provisioning = provisioningStateOf(body);
  if (asyncUrl) return { ...common, style: 'azure-asyncoperation', pollUrl: asyncUrl, ...locationUrl, state: provisioning ?? 'InProgress' };
  if (operationUrl) {
    return {
      ...common,
      style: 'operation-location',
      pollUrl: operationUrl,
      ...locationUrl,
      state: operationStatusOf(body) ?? 'InProgress',
    };
  }
  if (location) return { ...common, style: 'location', pollUrl: location, ...locationUrl, state: provisioning ?? 'InProgress' };
  return { ...common, style: 'body', pollUrl: common.originalUrl, state: provisioning ?? (status === 202 ? 'InProgress' : 'Succeeded') };
}

/** The request's URL with its api-version: a controller that resumes the operation has only its state. */
function withApiVersion(request: ArmRequest): string {
  if (request.apiVersion === undefined || /[?&]api-version=/i.test(request.url)) return request.url;
  return `${request.url}${request.url.includes('?') ? '&' : '?'}api-version=${encodeURIComponent(request.apiVersion)}`;
}
