import { MemoryCluster } from './memory-cluster';
import { Journal } from '../../../cli/migrate/journal';
import type { MigrationContext } from '../../../cli/migrate/migration-context';
import { STOP_WATCHERS } from '../../../cli/migrate/steps/stop-watchers';
import { asoInstallation } from '../../e2e/migration/aso-installation';
import { NAMESPACE } from '../../e2e/migration/aso-names';

const leaseOf = (holderIdentity: string, renewTime: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'controllers-leader-election-azinfra-generated', namespace: NAMESPACE },
  spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 },
});

/** The reasons for which the step waits, when a pod that is gone has the Lease since then; it releases the Lease when the step waits. */
async function waitsFor(renewTime: string): Promise<string[]> {
  const cluster = new MemoryCluster();
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'of-the-cluster' } });
  for (const object of asoInstallation({ webhooks: { port: 443, caBundle: '' }, settings: {}, kinds: [] })) cluster.put(object);
  cluster.put(leaseOf('old-pod_1', renewTime));
  const waits: string[] = [];
  await STOP_WATCHERS.run({
    connection: cluster.connection,
    client: cluster.client,
    clock: { now: () => cluster.time(), sleep: async () => undefined },
    namespace: NAMESPACE,
    journal: await Journal.begin(cluster.client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 }),
    progress: (text: string) => {
      waits.push(text);
      cluster.put(leaseOf('', renewTime));
    },
  } as unknown as MigrationContext);
  return waits;
}

test('a leader whose pod is gone may still act until it has released its Lease, or that has ended', async () => {
  expect(await waitsFor('2026-11-30T09:00:00.000000Z')).toEqual(['the old leader old-pod has not released its Lease yet']);
  expect(await waitsFor('2026-11-30T07:00:00.000000Z')).toEqual([]);
});
