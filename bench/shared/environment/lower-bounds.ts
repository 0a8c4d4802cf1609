import type { AzureRequest } from './environment';
import { readyTimes } from '../../../cli/plan/ready-times';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { ARM_REQUEST_LIMITS, type RequestBucket } from '../../../src/azure/arm-request-limits';

/** The chain of resources that takes longest, in Azure's own time. */
export function criticalPath(objects: readonly KubernetesObject[]): ReturnType<typeof readyTimes> {
  return readyTimes(objects.map((object, index) => ({ object, file: 'bench', line: index + 1, lineOf: () => index + 1 })));
}

/**
 * The least time in which Azure's limits let one principal a subscription send these requests, in Azure's own seconds: of the bucket that
 * takes longest. Refused requests do not count.
 */
export function limitsSeconds(requests: readonly AzureRequest[]): number {
  const counts = new Map<string, { writes: number; reads: number }>();
  for (const { method, path, status } of requests) {
    if (status === 429) continue;
    const [, subscription = ''] = /^\/subscriptions\/([^/]+)/i.exec(path) ?? [];
    const count = counts.get(subscription) ?? { writes: 0, reads: 0 };
    const isRead = method === 'GET' || method === 'HEAD';
    counts.set(subscription, { writes: count.writes + (isRead ? 0 : 1), reads: count.reads + (isRead ? 1 : 0) });
  }
  const secondsOf = (count: number, { size, refillPerSecond }: RequestBucket) => (count - size) / refillPerSecond;
  const limits = ARM_REQUEST_LIMITS;
  return Math.max(
    0,
    ...[...counts.values()].flatMap(({ writes, reads }) => [secondsOf(writes, limits.writes), secondsOf(reads, limits.reads)]),
  );
}
