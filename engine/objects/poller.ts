import { annotation, CREATE_POLLER, DELETE_POLLER, withAnnotations } from './annotations';
import { POLLER_ID, POLLER_TOKEN } from '../../src/azure/annotations';
import { decodeToken, encodeToken } from '../arm/operation-token';
import type { OperationState } from '../arm/types';
import type { KubernetesObject } from '../kubernetes/types';

export interface Poller {
  readonly of: 'create' | 'delete';
  /** Undefined: this controller cannot read the token, e.g. one of ASO. */
  readonly state?: OperationState;
}

/** The running operation that the object's annotations record. */
export function pollerOf(object: KubernetesObject): Poller | undefined {
  const token = annotation(object, POLLER_TOKEN);
  if (!token) return undefined;
  const of = annotation(object, POLLER_ID) === DELETE_POLLER ? 'delete' : 'create';
  try {
    return { of, state: decodeToken(token) };
  } catch {
    return { of };
  }
}

export function withPoller(object: KubernetesObject, of: Poller['of'], state: OperationState): KubernetesObject {
  return withAnnotations(object, { [POLLER_TOKEN]: encodeToken(state), [POLLER_ID]: of === 'create' ? CREATE_POLLER : DELETE_POLLER });
}

/** An operation that is polled by the provisioning state of the resource itself. */
export function bodyOperation(armId: string, apiVersion: string): OperationState {
  const url = `${armId}?api-version=${apiVersion}`;
  return { style: 'body', method: 'PUT', originalUrl: url, pollUrl: url, state: 'InProgress' };
}
