import { Contents } from '../../../controller/contents';
import { Cluster } from '../../../controller/reconcile/cluster';
import { systemClock } from '../../../engine/clock';
import { ResourceInformer } from '../../../engine/informers';
import { CORE_KINDS, RestClient, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes';
import { startReal, type RealCluster } from '../../e2e/real-cluster';
import { describeWithRealKubernetes } from '../../e2e/real-kubernetes';
import { until } from '../../setup/until';

const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const key = (name: string) => ({ group: '', kind: 'Secret', namespace: 'default', name });
const secret = (name: string, value: string, type = 'Opaque'): KubernetesObject => ({
  apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, type, data: { value: Buffer.from(value).toString('base64') },
});

describeWithRealKubernetes('Secrets of a real kube-apiserver', () => {
  let real: RealCluster;
  let client: RestClient;
  const stop = new AbortController();
  const known: string[] = [];
  const cluster = new Cluster();
  let contents: Contents;
  let informer: ResourceInformer;

  beforeAll(async () => {
    real = await startReal();
    client = new RestClient(real.connection);
    await client.create(SECRETS, secret('a', 'one'));
    await client.create(SECRETS, secret('release', 'large', 'helm.sh/release.v1'));
    contents = new Contents({
      client, clock: systemClock, isUsed: () => true, onKnown: ({ name }, isChanged) => void known.push(`${name} ${isChanged}`),
    });
    const { metadataOnly, fieldSelector } = CORE_KINDS.find(({ kind }) => kind === 'Secret')!;
    informer = new ResourceInformer(client, SECRETS, { metadataOnly, fieldSelector });
    informer.onEvent((event) => contents.handle(event));
    cluster.add(contents.watched(informer));
    await informer.start(stop.signal);
  });
  afterAll(async () => {
    contents.stop();
    stop.abort();
    await informer.stopped();
    await real.close();
  });

  test('the list has metadata alone, without the releases of Helm', () => {
    expect(cluster.findMetadata(key('a'))?.uid).toBeDefined();
    expect(cluster.findMetadata(key('release'))).toBeUndefined();
    expect(Object.keys(informer.store.get('default', 'a')!).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  test('a content is read by name, and again when the watch of the metadata reports a change', async () => {
    expect(await cluster.fetch(key('a'))).toMatchObject({ object: { type: 'Opaque', data: secret('a', 'one').data } });
    const resourceVersion = cluster.findMetadata(key('a'))!.resourceVersion!;
    const changed = await client.replace(SECRETS, { ...secret('a', 'two'), metadata: { name: 'a', namespace: 'default', resourceVersion } });
    await until('the content has changed', () => cluster.findMetadata(key('a'))?.resourceVersion === changed.metadata.resourceVersion
      && cluster.read(key('a')).state === 'present');
    expect(cluster.find(key('a'))).toMatchObject({ data: secret('a', 'two').data });
    expect(known).toEqual(['a false', 'a true']);
  });

  test('new Secrets and deleted ones are seen, and those of Helm are not', async () => {
    await client.create(SECRETS, secret('later', 'large', 'helm.sh/release.v1'));
    await client.create(SECRETS, secret('b', 'one'));
    await until('the new one is there', () => cluster.findMetadata(key('b')) !== undefined);
    expect(cluster.findMetadata(key('later'))).toBeUndefined();
    await client.delete(SECRETS, 'a', 'default');
    await until('the deletion is seen', () => cluster.read(key('a')).state === 'absent');
  });
});
