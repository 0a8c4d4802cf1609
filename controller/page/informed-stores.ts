import { storeFactsOf, type StoreAnswer } from '../../engine/inspect';
import type { ReadableStores } from '../../page';
import type { ObjectId } from '../../src/object-id';
import type { Cluster } from '../reconcile/cluster';

/** Secrets and ConfigMaps as the controller has them: only the names of their keys get to the page. */
export function informedStores(cluster: Pick<Cluster, 'read' | 'fetch'>): ReadableStores {
  const answer = (kind: 'Secret' | 'ConfigMap', namespace: string, name: string): StoreAnswer => {
    const cached = cluster.read({ group: '', kind, namespace, name });
    if (cached.state === 'present') return storeFactsOf(cached.object);
    return cached.state;
  };
  return {
    secret: (namespace, name) => answer('Secret', namespace, name),
    configMap: (namespace, name) => answer('ConfigMap', namespace, name),
    unread: [],
    read: (names) => readUnread(cluster, names),
    forget: () => undefined,
  };
}

/** Reads contents that are not in memory; answers whether one of them is there now. */
async function readUnread(cluster: Pick<Cluster, 'read' | 'fetch'>, names: readonly ObjectId[]): Promise<boolean> {
  const unread = names.filter((name) => cluster.read(name).state === 'unknown');
  const states = await Promise.all(unread.map((name) => cluster.fetch(name)));
  return states.some(({ state }) => state !== 'unknown');
}
