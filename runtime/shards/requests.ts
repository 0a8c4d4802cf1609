import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject } from '../../engine/kubernetes/types';
import { SHARD_LABEL } from '../../src/azure/annotations';
import type { ElectionTime } from '../leader';
import { LEASES } from '../leader/lease';

export type ShardClient = Pick<KubernetesClient, 'get' | 'create' | 'replace' | 'delete'> & Pick<KubernetesListWatch, 'list'>;

/** Pages of a list. More Leases than that are a mistake of somebody else. */
const MAX_PAGES = 4;
const PAGE_SIZE = 500;

/** An answer that comes too late does not count; what the request did is read later. */
export async function inTime<T>(time: ElectionTime, work: Promise<T>, limitMs: number): Promise<T> {
  const over = new AbortController();
  const late = time.sleep(limitMs, over.signal).then(() => {
    throw new KubernetesError(0, 'Timeout', `no answer about a Lease within ${limitMs / 1_000} s`);
  });
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort(new Error('answered'));
  }
}

/** Whether somebody else has written the object first. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubernetesError && (error.reason === 'Conflict' || error.reason === 'AlreadyExists');
}

export function isNotFound(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 404;
}

/** The Leases of all members: all pages, or an error. */
export async function listMembers(client: ShardClient, namespace: string): Promise<KubernetesObject[]> {
  const items: KubernetesObject[] = [];
  let next: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await client.list(LEASES, {
      namespace, labelSelector: `${SHARD_LABEL}=true`, limit: PAGE_SIZE, ...(next === undefined ? {} : { continue: next }),
    });
    items.push(...list.items);
    next = list.continue;
    if (!next) return items;
  }
  throw new KubernetesError(0, 'TooMany', `more than ${MAX_PAGES * PAGE_SIZE} Leases with the label ${SHARD_LABEL} in ${namespace}`);
}
