import type { Contrary } from './contrary';
import type { Answer } from '../model/answer';
import type { OperationFailure, OperationKind } from '../model/operations';
import { scaled, type Simulation } from '../model/simulation';
import type { Resource } from '../model/store';

/** Azure's seconds for which a new resource may not be found: minutes are reported, most are shorter. */
const LATE_SECONDS = [5, 20, 60] as const;
/** Azure's seconds by which lists lag. */
const LIST_LAG_SECONDS = 30;
const SLOW = 5;
/** Of the requests of one kind to one path only the first ones are throttled: a run has to come to rest. */
const THROTTLED_REQUESTS = 6;

/**
 * Types whose Failed resources no PUT repairs: they have to be deleted and made again.
 * https://github.com/hashicorp/terraform-provider-azurerm/issues/14197, https://github.com/Azure/reliable-web-app-pattern-dotnet/issues/9
 */
const REPAIRED_BY_DELETE = ['microsoft.databricks/workspaces', 'microsoft.cache/redis'];

/** Whether a GET does not find a resource that was made a moment ago. */
export function isLate(simulation: Simulation, resource: Resource): boolean {
  const { contrary } = simulation;
  const id = resource.id.toLowerCase();
  if (!contrary?.does('late', id)) return false;
  return isYoungerThan(simulation, resource, contrary.pick(LATE_SECONDS, 'late', id));
}

/** Whether lists do not have a resource yet. */
export function isUnlisted(simulation: Simulation, resource: Resource): boolean {
  return simulation.contrary?.does('lists', resource.id.toLowerCase()) === true && isYoungerThan(simulation, resource, LIST_LAG_SECONDS);
}

function isYoungerThan(simulation: Simulation, { createdAt }: Resource, seconds: number): boolean {
  return simulation.clock.now() < createdAt + scaled(simulation, seconds);
}

/** A refusal of a request for having asked too often; undefined: it goes on. */
export function throttled({ contrary }: Simulation, method: string, path: string): Answer | undefined {
  if (!contrary) return undefined;
  const words = [method, path.toLowerCase()] as const;
  const number = contrary.count('request', ...words);
  if (number >= THROTTLED_REQUESTS || !contrary.does('throttles', ...words, number)) return undefined;
  return contrary.pick(REFUSALS, 'throttle', ...words, number);
}

const REFUSALS: readonly [Answer, ...Answer[]] = [
  {
    status: 429,
    headers: { 'Retry-After': '1' },
    body: { error: { code: 'TooManyRequests', message: 'The request is being throttled as the limit has been reached.' } },
  },
  { status: 429, body: { error: { code: 'RetryableError', message: 'A retryable error occurred.', details: [] } } },
  { status: 429, headers: { 'Retry-After': '1' } },
  { status: 503, body: { error: { code: 'ServerBusy', message: 'The server is busy. Please retry.' } } },
];

/** How an operation goes on that a request began. */
export interface Course {
  readonly seconds: number;
  readonly failure: OperationFailure | undefined;
}

/** The course of an operation, where the mode does not leave it as it is. */
export function courseOf(
  contrary: Contrary | undefined, kind: OperationKind, { id, type, incarnation }: Resource, seconds: number,
): Course {
  if (!contrary) return { seconds, failure: undefined };
  const key = id.toLowerCase();
  const isWrite = kind !== 'delete';
  const isFirst = isWrite && contrary.count('write', key) === 0;
  const mayFail = isWrite && incarnation <= 1 && (isFirst || REPAIRED_BY_DELETE.includes(type.toLowerCase()));
  const fails = mayFail && contrary.does('failures', key);
  return {
    seconds: contrary.does('slow', key) ? seconds * SLOW : seconds,
    failure: fails ? contrary.pick(FAILURES, 'failure', key) : undefined,
  };
}

/** Failures that were recorded, and that a new request gets over. */
const FAILURES: readonly [OperationFailure, ...OperationFailure[]] = [
  { code: 'InternalServerError', message: 'An unexpected error occured while processing the request.' },
  { code: 'Conflict', message: 'Another operation is pending on the specified resource.' },
  { code: 'OperationCancelled', message: 'The operation has been cancelled by user.', state: 'Canceled' },
];
