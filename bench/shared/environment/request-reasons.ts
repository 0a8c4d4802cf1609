import type { AzureRequest } from './environment';
import { parseArmPath } from '../../../sandbox/azure/arm/arm-path';
import { behaviourOf } from '../../../sandbox/azure/model/behaviour';

/** Why a request was sent, as far as the requests themselves tell. */
export type RequestReason =
  | 'PUT'
  | 'POST (keys, queries)'
  | 'poll of an operation'
  | 'poll of the resource that is made'
  | 'more polls of the same'
  | 'read after a PUT without an operation'
  | 'read before the PUT'
  | 'list'
  | 'DELETE';

/** The number of requests for each reason, most first. */
export function countReasons(requests: readonly AzureRequest[]): [RequestReason, number][] {
  const counts = new Map<RequestReason, number>();
  /** Resource → whether its operation was polled since its PUT. */
  const polled = new Map<string, boolean>();
  for (const request of requests) {
    const reason = reasonOf(request, polled);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function reasonOf({ method, path, poll }: AzureRequest, polled: Map<string, boolean>): RequestReason {
  if (method === 'POST') return 'POST (keys, queries)';
  if (method === 'DELETE') return 'DELETE';
  const key = path.split('?')[0]!.toLowerCase();
  if (method === 'PUT') {
    polled.set(key, false);
    return 'PUT';
  }
  const isAgain = polled.get(key);
  if (poll) {
    polled.set(key, true);
    return isAgain ? 'more polls of the same' : 'poll of an operation';
  }
  const { nodes, tail } = parseArmPath(key);
  if (tail.length > 0) return 'list';
  if (isAgain === undefined) return 'read before the PUT';
  if (behaviourOf(nodes.at(-1)!.type, 'PUT').operation === undefined) return 'read after a PUT without an operation';
  polled.set(key, true);
  return isAgain ? 'more polls of the same' : 'poll of the resource that is made';
}
