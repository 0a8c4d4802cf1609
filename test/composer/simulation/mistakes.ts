import type { SimulationOptions } from './simulate';
import type { KubernetesObject } from '../../../engine/kubernetes';

/** Mistakes in the requests of the composer. */
const WRONG_CLIENTS: Readonly<Record<string, NonNullable<SimulationOptions['mutate']>>> = {
  'it takes over objects of others': (client) => ({
    ...client,
    patch: (type, name, namespace, patch, how) => {
      const { metadata: { resourceVersion: _, ...metadata }, ...rest } = patch as KubernetesObject;
      return client.patch(type, name, namespace, how === 'application/apply-patch+yaml' ? { ...rest, metadata } : patch, how);
    },
  }),
  'it believes that what it does not see is gone': (client) => ({ ...client, get: () => Promise.resolve(undefined) }),
  'it lists no object before it is made': (client, cluster) => ({
    ...client,
    replaceStatus: async (type, object) => {
      const made = new Set(cluster.all().map(({ metadata }) => metadata.uid));
      const objects = (object.status!.objects as { uid?: string }[]).filter(({ uid }) => uid !== undefined && made.has(uid));
      const written = await client.replaceStatus(type, { ...object, status: { ...object.status, objects } });
      return { ...written, status: { ...written.status, objects: object.status!.objects } } as KubernetesObject;
    },
  }),
  'it deletes by name': (client) => ({ ...client, delete: (type, name, namespace) => client.delete(type, name, namespace) }),
};

/** Mistakes that the invariants have to find. */
export const MISTAKES: Readonly<Record<string, SimulationOptions>> = {
  ...Object.fromEntries(Object.entries(WRONG_CLIENTS).map(([title, mutate]) => [title, { mutate }])),
  'it forgets what claims have read': { readersOf: () => [] },
};
