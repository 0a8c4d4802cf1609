import { textMember } from './json';
import { isRecord, memberIgnoringCase } from '../../src/util/records';

export type Outcome = 'running' | 'succeeded' | 'failed';

const SUCCESS = new Set(['succeeded', 'completed']);
const FAILURE = new Set(['failed', 'canceled', 'cancelled']);

/** The meaning of an operation's word; a word that is no end means that it is running. */
export function outcomeOf(state: string): Outcome {
  const word = state.toLowerCase();
  if (SUCCESS.has(word)) return 'succeeded';
  return FAILURE.has(word) ? 'failed' : 'running';
}

/**
 * Words of `provisioningState` that are an end besides those of operations, as the types of Azure's services have them
 * (https://github.com/Azure/bicep-types-az). With every other word Azure still works on the resource.
 */
const WORKS = new Set([
  ...SUCCESS, 'ready', 'active', 'activated', 'online', 'enabled', 'approved', 'connected', 'registered', 'available', 'stopped', 'paused',
]);
/** `Failed`, `CreateFailed`, `DeletionFailure`, `Error`, `DeleteError`. */
const FAILURE_ENDING = /(failed|failure|error)$/;
/** Azure has taken the resource out of service. */
const DISABLED = new Set(['disabled', 'suspended', 'expired', 'inaccessible', 'rejected', 'invalid']);

/** The meaning of a `provisioningState` for the resource itself. */
export function resourceOutcomeOf(state: string): Outcome {
  const word = state.trim().toLowerCase();
  if (WORKS.has(word)) return 'succeeded';
  return FAILURE.has(word) || FAILURE_ENDING.test(word) || DISABLED.has(word) ? 'failed' : 'running';
}

/** Whether Azure has taken a resource in this state out of service. */
export function isDisabled(state: string): boolean {
  return DISABLED.has(state.trim().toLowerCase());
}

/** `properties.provisioningState` of a resource. */
export function provisioningStateOf(body: unknown): string | undefined {
  return textMember(memberIgnoringCase(body, 'properties'), 'provisioningState');
}

/** `status` of an operation, or `provisioningState` where a provider returns the resource instead. */
export function operationStatusOf(body: unknown): string | undefined {
  return textMember(body, 'status') ?? provisioningStateOf(body);
}

/** Whether a body carries an error, at top level or under `error`; an empty one is none. */
export function hasError(body: unknown): boolean {
  const inner = memberIgnoringCase(body, 'error');
  if (isRecord(inner)) return textMember(inner, 'code') !== undefined || textMember(inner, 'message') !== undefined;
  return textMember(body, 'code') !== undefined && textMember(body, 'message') !== undefined;
}
