import { annotation, CREATE_POLLER, DELETE_POLLER, withAnnotations } from './annotations';
import { POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { decodeToken, encodeToken, RESULT_TYPES } from '../arm/operation-token';
import type { OperationState } from '../arm/types';
import type { KubernetesObject } from '../kubernetes/types';

/** The running operation that the object's annotations record, this controller's or ASO's. */
export interface Poller {
  readonly of: 'create' | 'delete';
  readonly token: string;
}

export function pollerOf(object: KubernetesObject): Poller | undefined {
  const token = annotation(object, POLLER_TOKEN);
  return token ? { of: annotation(object, POLLER_ID) === DELETE_POLLER ? 'delete' : 'create', token } : undefined;
}

/**
 * The state of the object's running operation. Undefined: there is none, or its token cannot be used.
 * @param apiVersion with which the resource is read
 */
export function operationOf(object: KubernetesObject, apiVersion: string): OperationState | undefined {
  const poller = pollerOf(object);
  const armId = annotation(object, RESOURCE_ID);
  if (!poller) return undefined;
  const originalUrl = armId && urlOf(armId, apiVersion);
  try {
    return poller.of === 'create'
      ? decodeToken(poller.token, { type: RESULT_TYPES.put, method: 'PUT', originalUrl })
      : decodeToken(poller.token, { type: RESULT_TYPES.delete, method: 'DELETE', originalUrl });
  } catch {
    return undefined;
  }
}

/** @param endpoint of Azure Resource Manager */
export function withPoller(object: KubernetesObject, of: Poller['of'], state: OperationState, endpoint: string): KubernetesObject {
  const [id, type] = of === 'create' ? [CREATE_POLLER, RESULT_TYPES.put] : [DELETE_POLLER, RESULT_TYPES.delete];
  return withAnnotations(object, { [POLLER_TOKEN]: encodeToken(state, type, endpoint), [POLLER_ID]: id });
}

/** An operation that is polled by the provisioning state of the resource itself. */
export function bodyOperation(armId: string, apiVersion: string): OperationState {
  const url = urlOf(armId, apiVersion);
  return { style: 'body', method: 'PUT', originalUrl: url, pollUrl: url, state: 'InProgress' };
}

function urlOf(armId: string, apiVersion: string): string {
  return `${armId}?api-version=${apiVersion}`;
}
