import type { Cluster } from './cluster';
import type { CachedObject } from '../../engine/kubernetes/cache-state';
import type { ObjectId } from '../../src/object-id';

/** Reads the objects whose contents are not in memory, all at once. Returns the states of those that had to be read. */
export async function fetchUnread(cluster: Cluster, keys: readonly ObjectId[]): Promise<readonly [ObjectId, CachedObject][]> {
  const unread = keys.filter((key) => {
    const cached = cluster.read(key);
    return cached.state === 'unknown' && cached.only !== undefined;
  });
  return Promise.all(unread.map(async (key): Promise<[ObjectId, CachedObject]> => [key, await cluster.fetch(key)]));
}
