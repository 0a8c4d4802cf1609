import { simulate, type SimulationOptions } from './simulate';
import type { KubernetesObject } from '../../../engine/kubernetes';

jest.setTimeout(240_000);

test('60 seeds: nothing is orphaned, made twice, taken over or deleted that is somebody else\'s, and all claims are Ready at the end', async () => {
  for (let seed = 101; seed <= 160; seed += 1) expect([seed, await simulate(seed)]).toEqual([seed, []]);
});

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
const MISTAKES: readonly (readonly [string, SimulationOptions])[] = [
  ...Object.entries(WRONG_CLIENTS).map(([title, mutate]) => [title, { mutate }] as const),
  ['it forgets what claims have read', { readersOf: () => [] }],
];

test.each(MISTAKES)('the simulation finds that %s', async (_, options) => {
  for (let seed = 1; seed <= 60; seed += 1) if ((await simulate(seed, options)).length > 0) return;
  throw new Error('no seed of 60 has found it');
});
