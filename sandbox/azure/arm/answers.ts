import { withInlineChildren } from './inline-children';
import type { Answer } from '../model/answer';
import type { Operation } from '../model/operations';
import { retryAfterHeader, type Simulation } from '../model/simulation';
import { provisioningStateOf, withPath, type Json, type Resource } from '../model/store';

/** A resource in the form of a GET's answer. */
export function presented(simulation: Simulation, resource: Resource): Json {
  const { id, name, type } = resource;
  const running = simulation.operations.runningOn(id);
  const whole = withInlineChildren(simulation.store, resource);
  const body = running?.kind === 'delete' && provisioningStateOf(resource) !== undefined
    ? withPath(whole, ['properties', 'provisioningState'], 'Deleting')
    : whole;
  return { id, name, type, ...body };
}

/** The headers that lead a client to a long-running operation. */
export function operationHeaders(simulation: Simulation, operation: Operation): Record<string, string> {
  const retry = retryAfterHeader(simulation, operation.retryAfter);
  switch (operation.style) {
    case 'azure-asyncoperation':
      return {
        'Azure-AsyncOperation': `${simulation.baseUrl}${operation.statusUrl}`,
        'Location': `${simulation.baseUrl}${operation.resultUrl}`,
        ...retry,
      };
    case 'location':
      return { Location: `${simulation.baseUrl}${operation.resultUrl}`, ...retry };
    case 'provisioningState':
      return retry;
  }
}

/** The state of an operation, at the URL of its `Azure-AsyncOperation`. */
export function operationStatus(simulation: Simulation, operation: Operation): Answer {
  const ended = simulation.clock.now() >= operation.endsAt;
  const status = !ended ? 'InProgress' : operation.failure ? 'Failed' : 'Succeeded';
  return {
    status: 200,
    headers: ended ? {} : retryAfterHeader(simulation, operation.retryAfter),
    body: {
      id: operation.statusUrl.split('?')[0],
      name: operation.guid,
      status,
      startTime: new Date(operation.startedAt).toISOString(),
      ...(ended && { endTime: new Date(operation.endsAt).toISOString() }),
      ...(ended && operation.failure && { error: operation.failure }),
    },
  };
}

/** The outcome of an operation, at the URL of its `Location`. */
export function operationResult(simulation: Simulation, operation: Operation): Answer {
  if (simulation.clock.now() < operation.endsAt) {
    return {
      status: 202,
      headers: { Location: `${simulation.baseUrl}${operation.resultUrl}`, ...retryAfterHeader(simulation, operation.retryAfter) },
    };
  }
  if (operation.failure) return { status: 409, body: { error: operation.failure } };
  const resource = simulation.store.get(operation.resourceId);
  return resource && operation.kind !== 'delete' ? { status: 200, body: presented(simulation, resource) } : { status: 200 };
}
