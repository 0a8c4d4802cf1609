import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl, hasKubectl } from './cluster';
import { applyObjects, buildStore, startComposer, type BuiltStore, type StoredClaim } from './composer';
import type { RunningProgram } from './program';
import { startReal, type RealCluster } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { freePorts } from './servers';
import { address, endpointsOf, NAMESPACE } from './webhook-endpoints';
import { revisionOf } from '../../composer/bundle/bundle-header';
import { until } from '../setup/until';


(realKubernetes && hasKubectl && address !== undefined ? describe : describe.skip)('versions of a kind on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let [first, second]: (BuiltStore | undefined)[] = [];
  let composer: RunningProgram | undefined;

  const get = (version: string, name: string): Promise<StoredClaim> => (
    cluster.api.send('GET', `/apis/platform.example.com/${version}/namespaces/shop/boxes/${name}`));
  const box = (version: string, name: string, spec: object) => ({ apiVersion: `platform.example.com/${version}`, kind: 'Box', metadata: { name, namespace: 'shop' }, spec });
  const data = async (name: string): Promise<object | undefined> => (
    (await cluster.api.find(`/api/v1/namespaces/shop/configmaps/${name}-box`))?.data);

  beforeAll(async () => {
    [first, second] = ['box', 'versioned-box'].map((name) => buildStore(undefined, join(__dirname, '..', 'composer', 'definitions', `${name}.ts`), NAMESPACE));
    // Services without a network of pods: the API server asks their endpoints.
    cluster = await startReal({ apiServerFlags: ['--enable-aggregator-routing=true'] });
    for (const name of ['shop', NAMESPACE]) kubectl(cluster, 'create', 'namespace', name);
    kubectl(cluster, 'apply', '--server-side', '-f', first!.crds);
    kubectl(cluster, 'wait', '--for=condition=Established', 'crd/boxes.platform.example.com', '--timeout=30s');
    composer = startComposer(cluster, first!.bundle, ['--namespace', NAMESPACE]);
  });
  afterAll(async () => {
    await composer?.kill();
    await cluster?.close();
    first?.end();
    second?.end();
  });

  test('a claim that is stored in the older version is taken to the new one, and served in both', async () => {
    // One of them is left out by the rollout, and so stays as the first revision has stored it.
    const skipped = box('v1alpha1', 'skipped', { width: 4 });
    const annotations = { 'aso.cdk8s.io/continue-rollout': revisionOf(readFileSync(second!.bundle, 'utf8')) };
    applyObjects(cluster, [box('v1alpha1', 'one', { width: 3 }), { ...skipped, metadata: { ...skipped.metadata, annotations } }]);
    await until('composed by the first revision', async () => await data('one') !== undefined && await data('skipped') !== undefined);
    expect(await data('one')).toEqual({ width: '3' });
    const { status, metadata: { uid } } = await get('v1alpha1', 'one');
    await composer!.stop();
    kubectl(cluster, 'apply', '--server-side', '-f', second!.crds);
    const [port] = await freePorts(1);
    applyObjects(cluster, endpointsOf(port!));
    composer = startComposer(cluster, second!.bundle, ['--namespace', NAMESPACE, '--webhook-port', String(port)], { KUBERNETES_SERVICE_HOST: address! });
    await until('composed by the second revision', async () => JSON.stringify(await data('one')) === '{"size":"3"}');
    await until('the revision', async () => (await get('v1', 'one')).status?.definition !== status?.definition);
    expect(await get('v1', 'one')).toMatchObject({ metadata: { uid }, spec: { size: { width: 3 } }, status: { objects: [{ kind: 'ConfigMap', name: 'one-box' }] } });
    expect(await get('v1alpha1', 'one')).toMatchObject({ metadata: { uid }, spec: { width: 3 }, status: { objects: [{ kind: 'ConfigMap', name: 'one-box' }] } });
  });

  test('the authority of the composer\'s certificate is in the CRD', () => {
    const secret = JSON.parse(kubectl(cluster, 'get', 'secret', 'composer-webhook-certificate', '-n', NAMESPACE, '-o', 'json')) as { data: Record<string, string> };
    const authority = () =>
      kubectl(cluster, 'get', 'crd', 'boxes.platform.example.com', '-o', 'jsonpath={.spec.conversion.webhook.clientConfig.caBundle}');
    expect(authority()).toBe(secret.data['ca.crt']);
    // Applied again, the authority stays.
    kubectl(cluster, 'apply', '--server-side', '-f', second!.crds);
    expect(authority()).toBe(secret.data['ca.crt']);
  });

  test('a claim of the older version is written, changed and composed as one of the new', async () => {
    applyObjects(cluster, [box('v1alpha1', 'two', { width: 5 })]);
    await until('composed', async () => JSON.stringify(await data('two')) === '{"size":"5"}');
    applyObjects(cluster, [box('v1', 'two', { size: { width: 6 } })]);
    await until('composed again', async () => JSON.stringify(await data('two')) === '{"size":"6"}');
    expect((await get('v1alpha1', 'two')).spec).toEqual({ width: 6 });
    kubectl(cluster, 'patch', 'boxes.v1alpha1.platform.example.com', 'two', '-n', 'shop', '--type=merge', '-p', '{"spec":{"width":7}}');
    await until('composed once more', async () => JSON.stringify(await data('two')) === '{"size":"7"}');
  });

  test('a claim that the definition refuses hides no other in lists of the older version', async () => {
    applyObjects(cluster, [box('v1', 'unlucky', { size: { width: 13 } })]);
    await until('its condition', async () => (await get('v1', 'unlucky')).status?.conditions?.some(({ reason }) => reason === 'InvalidSpec') ?? false);
    const { items } = JSON.parse(kubectl(cluster, 'get', 'boxes.v1alpha1.platform.example.com', '-n', 'shop', '-o', 'json')) as { items: StoredClaim[] };
    expect(items.map(({ metadata, spec }) => [metadata.name, spec!.width])).toEqual([['one', 3], ['skipped', 4], ['two', 7], ['unlucky', 13]]);
  });

  test('the API server keeps a version in which claims are stored, until the composer has written them all', async () => {
    const remove = () => kubectl(cluster, 'patch', 'crd', 'boxes.platform.example.com', '--type=json', '-p', '[{"op":"remove","path":"/spec/versions/1"}]');
    expect(remove).toThrow(/status\.storedVersions/);
    const stored = async () => (await cluster.api.send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.platform.example.com'))
      .status.storedVersions.join();
    await until('all claims are written', async () => await stored() === 'v1');
    remove();
    expect((await get('v1', 'one')).spec).toEqual({ size: { width: 3 } });
    expect((await get('v1', 'skipped')).spec).toEqual({ size: { width: 4 } });
  });
});
