import { MemoryCluster } from './memory-cluster';
import { Journal } from '../../../cli/migrate/journal';
import type { MigrationContext } from '../../../cli/migrate/migration-context';
import { REMOVE_ASO } from '../../../cli/migrate/steps/remove-aso';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { NAMESPACE } from '../../e2e/migration/aso-names';

const secret = (name: string, namespace: string, labels: Readonly<Record<string, string>> = {}) => (
  { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels } });
const record = (release: string, namespace = NAMESPACE) => (
  secret(`sh.helm.release.v1.${release}.v1`, namespace, { owner: 'helm', name: release }));
const service = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: NAMESPACE } });

/** The objects that are left in the cluster after the step has removed ASO. */
async function leftOf(objects: readonly object[], helmRelease?: string): Promise<string[]> {
  const cluster = new MemoryCluster();
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'of-the-cluster' } });
  for (const object of objects) cluster.put(object);
  const state = { direction: 'from-aso', kinds: [], ...(helmRelease !== undefined && { helmRelease }) } as const;
  await REMOVE_ASO.run({
    connection: cluster.connection,
    client: cluster.client,
    clock: { now: () => cluster.time(), sleep: async () => undefined },
    namespace: NAMESPACE,
    journal: await Journal.begin(cluster.client, NAMESPACE, state, { now: 0 }),
    install: [],
    progress: () => undefined,
  } as unknown as MigrationContext);
  const names = (objects as readonly KubernetesObject[]).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  const left = new Set([...cluster.objects.values()].map(({ metadata: { namespace, name } }) => `${namespace}/${name}`));
  return names.filter((name) => left.has(name));
}

test("Helm's record of ASO goes; those of other releases stay, in its namespace and elsewhere", async () => {
  const others = [record('shop'), record('aso2-addons'), record('aso2', 'other')];
  const left = others.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  expect(await leftOf([record('aso2'), ...others], 'aso2')).toEqual(left);
});

test('without a release of Helm all records stay', async () => {
  expect(await leftOf([record('aso2')])).toEqual([`${NAMESPACE}/sh.helm.release.v1.aso2.v1`]);
});

test("objects of ASO's chart go by their names, and what others have in its namespace stays", async () => {
  const chart = [service('azureserviceoperator-webhook-service'), secret('webhook-server-cert', NAMESPACE)];
  const others = [service('shop'), service('my-azureserviceoperator-proxy'), secret('aso-controller-settings', NAMESPACE)];
  expect(await leftOf([...chart, ...others])).toEqual(others.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`));
});
