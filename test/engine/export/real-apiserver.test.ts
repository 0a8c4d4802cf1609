import * as fc from 'fast-check';
import { latest, ownerReference, storageAccount } from './fixtures';
import { exportsOf, exportWrite } from '../../../engine/export';
import { RestClient } from '../../../engine/kubernetes/rest-client';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { EXPORTED } from '../../../src/azure/annotations';
import { startReal, type RealCluster } from '../../e2e/real-cluster';
import { describeWithRealKubernetes } from '../../e2e/real-kubernetes';

const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const NAMESPACE = 'default';
const owner = (keys: readonly string[], labels: Record<string, string> = {}) => {
  const secretExpressions = keys.map((key) => ({ name: 's', key, value: `"${key}-value"`, labels: quoted(labels) }));
  const object = storageAccount({ secretExpressions });
  return { ...object, metadata: { ...object.metadata, namespace: NAMESPACE } };
};
const quoted = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, `"${value}"`]));
const storage = latest('storage', 'StorageAccount');

describeWithRealKubernetes('exports on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let client: RestClient;

  beforeAll(async () => {
    cluster = await startReal();
    client = new RestClient(cluster.connection);
  });
  afterAll(() => cluster?.close());
  afterEach(() => client.delete(SECRETS, 's', NAMESPACE).catch(() => undefined));

  /** As another program that applies with its own field manager, and takes what it has from others. */
  const apply = (fieldManager: string, content: object, metadata: object = {}) =>
    new RestClient(cluster.connection, { fieldManager }).patch(
      SECRETS, 's', NAMESPACE, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', ...metadata }, ...content }, 'application/apply-patch+yaml');

  const live = async () => (await client.get(SECRETS, 's', NAMESPACE))!;

  /** Exports once; the result is whether it has written. */
  async function exported(exporter: KubernetesObject): Promise<boolean> {
    const [desired] = exportsOf(storage, exporter, { values: {}, notThere: [] }).secrets;
    const write = exportWrite(await client.get(SECRETS, 's', NAMESPACE), desired!, exporter);
    if (write.action === 'create') await client.create(SECRETS, write.object);
    if (write.action === 'replace') await client.replace(SECRETS, write.object);
    return write.action !== 'none';
  }

  test('what another manager applies to an export stays, through its changes and ours', async () => {
    const label = { 'cluster.x-k8s.io/cluster-name': 'c' };
    const reference = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', name: 'c', uid: 'capi', controller: true };
    expect(await exported(owner(['value', 'second'], { team: 'a' }))).toBe(true);
    await apply('capz-manager', { data: { other: 'eA==' } }, { labels: label, annotations: { note: 'x' }, ownerReferences: [reference] });
    expect(await exported(owner(['value', 'second'], { team: 'a' }))).toBe(false);
    expect(await exported(owner(['value']))).toBe(true);
    const { data, metadata } = await live();
    expect(Object.keys(data!).sort()).toEqual(['other', 'value']);
    expect(metadata.labels).toEqual(label);
    expect(metadata.annotations).toMatchObject({ note: 'x' });
    expect(metadata.ownerReferences).toEqual([ownerReference, reference]);
    expect(await exported(owner(['value']))).toBe(false);
    // The manager still owns what it applied, so it can take it away.
    await apply('capz-manager', {}, { labels: {} });
    const { data: left, metadata: { labels, annotations = {} } } = await live();
    expect([Object.keys(left!), labels, Object.keys(annotations)]).toEqual([['value'], undefined, [EXPORTED]]);
  });

  test('a Secret of another type takes the export, and keeps its type; an immutable one is told', async () => {
    const metadata = { name: 's', namespace: NAMESPACE, ownerReferences: [ownerReference] };
    await client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'cluster.x-k8s.io/secret' });
    expect(await exported(owner(['value']))).toBe(true);
    expect(await live()).toMatchObject({ type: 'cluster.x-k8s.io/secret', data: { value: Buffer.from('value-value').toString('base64') } });
    await client.patch(SECRETS, 's', NAMESPACE, { immutable: true }, 'application/merge-patch+json');
    expect(await exported(owner(['value'], { team: 'a' }))).toBe(true);
    expect(await live()).toMatchObject({ immutable: true, metadata: { labels: { team: 'a' } } });
    await expect(exported(owner(['value', 'second']))).rejects.toThrow('which is immutable');
  });

  test('whatever is exported and applied in turns, each finds its own, and an export that is in place is not written', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    const labels = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2'));
    const turn = fc.record({ by: fc.constantFrom('export' as const, 'other' as const), keys, labels });
    await fc.assert(fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 6 }), async (turns) => {
      await client.delete(SECRETS, 's', NAMESPACE).catch(() => undefined);
      let own = { keys: ['a'] as string[], labels: {} as Record<string, string> };
      let others = { keys: [] as string[], labels: {} as Record<string, string> };
      await exported(owner(own.keys));
      for (const { by, ...content } of turns) {
        if (by === 'export') {
          own = content;
          await exported(owner(own.keys, own.labels));
        } else {
          others = { keys: content.keys.map((key) => `other-${key}`), labels: prefixed(content.labels) };
          await apply('other', { data: Object.fromEntries(others.keys.map((key) => [key, 'eA=='])) }, { labels: others.labels });
        }
        expect(await exported(owner(own.keys, own.labels))).toBe(false);
        const { data, metadata } = await live();
        expect(Object.keys(data!).sort()).toEqual([...own.keys, ...others.keys].sort());
        expect(metadata.labels ?? {}).toEqual({ ...own.labels, ...others.labels });
      }
    }), { numRuns: 15 });
  });
});

function prefixed(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [`other-${key}`, value]));
}
