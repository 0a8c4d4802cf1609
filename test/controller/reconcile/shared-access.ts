import type { FakeClock } from './fake-clock';
import type { FakeCluster } from './fake-cluster';
import { Access, type AccessOptions } from '../../../controller/reconcile/access';
import { Cluster } from '../../../controller/reconcile/cluster';
import { ForeignReads } from '../../../controller/reconcile/foreign-reads';
import { slimIdentity } from '../../../controller/shards/foreign-objects';
import { nameOfKind, unknownState } from '../../../engine/kubernetes/cache-state';
import type { KubernetesClient, KubernetesListWatch, KubernetesObject, ObjectList, ResourceType } from '../../../engine/kubernetes/types';
import { hasFinalizer } from '../../../engine/objects/annotations';
import { CREDENTIAL_FINALIZER, CREDENTIAL_FROM, CREDENTIAL_USED_BY } from '../../../src/azure/annotations';
import { objectIdOf } from '../../../src/object-id';

/** The access as a replica sees it that keeps only one namespace in memory, and the lists that it has sent. */
export function sharedAccess(
  stored: FakeCluster, types: readonly ResourceType[], clock: FakeClock, own: string, options: Omit<AccessOptions, 'cluster' | 'foreign'>,
): { readonly access: Access; readonly lists: string[] } {
  const cluster = new Cluster();
  for (const type of types) {
    const { store, ...watched } = stored.watch(type);
    const isKept = ({ metadata: { namespace } }: KubernetesObject) => !type.namespaced || namespace === own;
    cluster.add({
      ...watched,
      type,
      store: {
        get: (namespace, name) => [store.get(namespace, name)].find((object) => object && isKept(object)),
        list: (namespace) => store.list(namespace).filter(isKept),
      },
      stateIn: (namespace) => (!type.namespaced || namespace === own ? { state: 'whole' } : unknownState(type, 'of another replica')),
    });
  }
  const all = [...stored.objects.values()];
  const lists: string[] = [];
  const client: Pick<KubernetesListWatch, 'list'> & Pick<KubernetesClient, 'get'> = {
    get: async (type, name, namespace) => {
      const found = all.find(({ kind, metadata }) => kind === type.kind && metadata.name === name && metadata.namespace === namespace);
      return found && guarded(found, all);
    },
    list: async (type, { namespace }): Promise<ObjectList> => {
      lists.push(`${type.kind} ${namespace ?? '*'}`);
      const items = all.filter((object) => (
        object.kind === type.kind && objectIdOf(object).group === type.group && (!namespace || object.metadata.namespace === namespace)
      ));
      return { resourceVersion: '1', items: type.kind === 'Secret' ? items.map((secret) => guarded(secret, all)) : items };
    },
  };
  const identities = () => all.filter(({ kind }) => kind === 'UserAssignedIdentity').map(slimIdentity);
  return { access: new Access({ ...options, cluster, foreign: { identities, reads: new ForeignReads(cluster, client, clock) } }), lists };
}

/** The Secret, as the credential guard of its namespace has marked it. */
function guarded(secret: KubernetesObject, all: readonly KubernetesObject[]): KubernetesObject {
  const { namespace, name } = secret.metadata;
  const users = all.filter((object) => (
    object.metadata.namespace === namespace && hasFinalizer(object) && (object.metadata.annotations?.[CREDENTIAL_FROM] ?? 'aso-credential') === name
  ));
  if (users.length === 0) return secret;
  const kinds = [...new Set(users.map((user) => nameOfKind(objectIdOf(user))))].sort().join(',');
  return { ...secret, metadata: { ...secret.metadata, finalizers: [CREDENTIAL_FINALIZER], annotations: { [CREDENTIAL_USED_BY]: kinds } } };
}
