import { member, textMember } from './json';
import { isRecord } from '../../src/util/records';

export type Outcome = 'running' | 'succeeded' | 'failed';

const SUCCESS = new Set(['succeeded', 'completed']);
const FAILURE = new Set(['failed', 'canceled', 'cancelled']);

/** The outcome for a status word; a word that is not terminal means that the operation is running. */
export function outcomeOf(state: string): Outcome {
  const word = state.toLowerCase();
  if (SUCCESS.has(word)) return 'succeeded';
  return FAILURE.has(word) ? 'failed' : 'running';
}

/** `properties.provisioningState` of a resource. */
export function provisioningStateOf(body: unknown): string | undefined {
  return textMember(member(body, 'properties'), 'provisioningState');
}

/** `status` of an operation, or `provisioningState` where a provider returns the resource instead. */
export function operationStatusOf(body: unknown): string | undefined {
  return textMember(body, 'status') ?? provisioningStateOf(body);
}

/** Whether a body carries an error object, at top level or under `error`. */
export function hasError(body: unknown): boolean {
  return isRecord(member(body, 'error')) || (textMember(body, 'code') !== undefined && textMember(body, 'message') !== undefined);
}
