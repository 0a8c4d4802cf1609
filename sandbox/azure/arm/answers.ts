import { withInlineChildren } from './inline-children';
import { endingAt, leavesLocationOut } from '../contrary/operation-endings';
import { inOtherWords } from '../contrary/spelling';
import type { Answer } from '../model/answer';
import type { OperationStyle } from '../model/behaviour';
import type { Operation, OperationFailure } from '../model/operations';
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
  const answer = { id, name, type, ...body };
  return simulation.contrary ? inOtherWords(simulation.contrary, answer) : answer;
}

/** The headers that lead a client to a long-running operation. */
export function operationHeaders(simulation: Simulation, operation: Operation): Record<string, string> {
  const retry = retryAfterHeader(simulation, operation.retryAfter);
  switch (operation.style) {
    case 'azure-asyncoperation':
      return {
        'Azure-AsyncOperation': `${simulation.baseUrl}${operation.statusUrl}`,
        ...(!leavesLocationOut(simulation.contrary, operation.guid) && { Location: `${simulation.baseUrl}${operation.resultUrl}` }),
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
  const other = otherEnding(simulation, operation, 'azure-asyncoperation');
  const ended = hasEnded(simulation, operation);
  const status = !ended ? 'InProgress' : operation.failure ? operation.failure.state ?? 'Failed' : 'Succeeded';
  return {
    status: 200,
    headers: ended ? {} : retryAfterHeader(simulation, operation.retryAfter),
    body: {
      id: operation.statusUrl.split('?')[0],
      name: operation.guid,
      status,
      startTime: new Date(operation.startedAt).toISOString(),
      ...(ended && { endTime: new Date(operation.endsAt).toISOString() }),
      ...(ended && operation.failure && { error: errorOf(operation.failure) }),
    },
    ...other,
  };
}

/** The outcome of an operation, at the URL of its `Location`. */
export function operationResult(simulation: Simulation, operation: Operation): Answer {
  const other = otherEnding(simulation, operation, 'location');
  if (!hasEnded(simulation, operation)) {
    return {
      status: 202,
      headers: { Location: `${simulation.baseUrl}${operation.resultUrl}`, ...retryAfterHeader(simulation, operation.retryAfter) },
      ...other,
    };
  }
  if (other) return { status: 200, ...other };
  if (operation.failure) return { status: 409, body: { error: errorOf(operation.failure) } };
  const resource = resultOf(simulation, operation);
  return resource ? { status: 200, body: resource } : { status: 200 };
}

const hasEnded = ({ clock }: Simulation, { endsAt }: Operation): boolean => clock.now() >= endsAt;
const errorOf = ({ code, message }: OperationFailure) => ({ code, message });

function resultOf(simulation: Simulation, { resourceId, kind }: Operation): Json | undefined {
  const resource = kind === 'delete' ? undefined : simulation.store.get(resourceId);
  return resource && presented(simulation, resource);
}

/** The answer of the contrary mode at a URL of an operation; undefined: as always. */
function otherEnding(simulation: Simulation, operation: Operation, style: OperationStyle): Partial<Answer> | undefined {
  const ending = endingAt(style, operation);
  if (!ending) return undefined;
  if (!hasEnded(simulation, operation)) return ending.running?.(operation, simulation.contrary?.count('poll', operation.guid) ?? 0);
  return operation.failure ? ending.failed?.(operation) : ending.succeeded?.(operation, resultOf(simulation, operation));
}
