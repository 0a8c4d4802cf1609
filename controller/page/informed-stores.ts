import type { InformerSet } from '../../engine/informers';
import { storeFactsOf, type StoreAnswer } from '../../engine/inspect';
import type { ReadableStores } from '../../page';

/** Secrets and ConfigMaps as the informers have them: only the names of their keys get to the page. */
export function informedStores(informers: Pick<InformerSet, 'find' | 'stateOf'>): ReadableStores {
  const answer = (kind: 'Secret' | 'ConfigMap', namespace: string, name: string): StoreAnswer => {
    if (informers.stateOf('', kind).state === 'unknown') return 'unknown';
    const found = informers.find('', kind, namespace, name);
    return found ? storeFactsOf(found) : 'absent';
  };
  return {
    secret: (namespace, name) => answer('Secret', namespace, name),
    configMap: (namespace, name) => answer('ConfigMap', namespace, name),
    unread: [],
    read: () => Promise.resolve(false),
    forget: () => undefined,
  };
}
