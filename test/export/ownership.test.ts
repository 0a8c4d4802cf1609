import { ARM_ID, fakeArm, latest, ownerReference, storageAccount } from './fixtures';
import { createExporter, exportsOf, exportWrite, ownedBy } from '../../controller/export';
import type { KubernetesObject, ResourceType } from '../../controller/kubernetes/types';

const storage = latest('storage', 'StorageAccount');
const owner = storageAccount({ secrets: { key1: { name: 's', key: 'k', labels: { l: 'v' } } }, configMaps: { blobEndpoint: { name: 'c', key: 'blob' } } });
const { secrets: [secret], configMaps: [configMap] } = exportsOf(storage, owner, { values: { key1: 'K' }, notThere: [] });

/** As the API server keeps a Secret. */
function stored(object: KubernetesObject): KubernetesObject {
  const { stringData, ...rest } = object;
  const data = stringData ? Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')])) : rest.data;
  return { ...rest, data, metadata: { ...object.metadata, uid: 'its-own', resourceVersion: '7', creationTimestamp: '2025-01-01T00:00:00Z' } };
}

class FakeKubernetes {
  public readonly objects = new Map<string, KubernetesObject>();
  public readonly writes: string[] = [];

  public async get(type: ResourceType, name: string) {
    return this.objects.get(`${type.kind}/${name}`);
  }
  public async create(_type: ResourceType, object: KubernetesObject) {
    return this.put('create', object);
  }
  public async replace(_type: ResourceType, object: KubernetesObject) {
    return this.put('replace', object);
  }
  private put(verb: string, object: KubernetesObject) {
    this.writes.push(`${verb} ${object.kind}/${object.metadata.name}`);
    this.objects.set(`${object.kind}/${object.metadata.name}`, stored(object));
    return object;
  }
}

test('ownership is by uid', () => {
  expect(ownedBy(stored(secret), owner)).toBe(true);
  expect(ownedBy({ ...secret, metadata: { ...secret.metadata, ownerReferences: [{ ...ownerReference, uid: 'other' }] } }, owner)).toBe(false);
  expect(ownedBy({ ...secret, metadata: { name: 's' } }, owner)).toBe(false);
  const unsaved = { ...owner, metadata: { ...owner.metadata, uid: '' } };
  expect(ownedBy({ ...secret, metadata: { name: 's', ownerReferences: [{ ...ownerReference, uid: '' }] } }, unsaved)).toBe(false);
});

describe('writing', () => {
  test('what is absent is created, what is equal is left alone', () => {
    expect(exportWrite(undefined, secret, owner)).toEqual({ action: 'create', object: secret });
    expect(exportWrite(stored(secret), secret, owner)).toEqual({ action: 'none' });
    expect(exportWrite(stored(configMap), configMap, owner)).toEqual({ action: 'none' });
  });

  test.each<[string, (object: KubernetesObject) => KubernetesObject]>([
    ['another value', (object) => ({ ...object, data: { k: 'eA==' } })],
    ['a foreign key', (object) => ({ ...object, data: { ...object.data, foreign: 'eA==' } })],
    ['a missing key', (object) => ({ ...object, data: {} })],
    ['a foreign label', (object) => ({ ...object, metadata: { ...object.metadata, labels: { l: 'v', m: 'w' } } })],
    ['a foreign annotation', (object) => ({ ...object, metadata: { ...object.metadata, annotations: { a: 'b' } } })],
    ['a further owner', (object) => ({ ...object, metadata: { ...object.metadata, ownerReferences: [...object.metadata.ownerReferences!, { ...ownerReference, uid: 'x' }] } })],
  ])('%s is replaced as a whole, at the version that was read', (_, change) => {
    const write = exportWrite(change(stored(secret)), secret, owner);
    expect(write).toEqual({ action: 'replace', object: { ...secret, metadata: { ...secret.metadata, resourceVersion: '7', uid: 'its-own' } } });
  });

  test('what belongs to somebody else is not touched', () => {
    const foreign = { ...stored(secret), metadata: { name: 's', namespace: 'team' } };
    expect(() => exportWrite(foreign, secret, owner)).toThrow('cannot overwrite Secret team/s which is not owned by StorageAccount.storage.azure.com team/acc');
  });
});

describe('the exporter', () => {
  const request = () => ({ object: owner, version: storage, armId: ARM_ID, client: fakeArm({ [`${ARM_ID}/listKeys`]: { keys: [{ keyName: 'key1', value: 'K' }] } }) });

  test('writes once, and then only what changed', async () => {
    const kubernetes = new FakeKubernetes();
    const exporter = createExporter(kubernetes);
    await exporter(request());
    await exporter(request());
    expect(kubernetes.writes).toEqual(['create Secret/s', 'create ConfigMap/c']);
    kubernetes.objects.set('ConfigMap/c', { ...kubernetes.objects.get('ConfigMap/c')!, data: {} });
    await exporter(request());
    expect(kubernetes.writes.at(-1)).toBe('replace ConfigMap/c');
    expect(kubernetes.writes).toHaveLength(3);
  });

  test('one that is not owned does not keep the others from being written', async () => {
    const kubernetes = new FakeKubernetes();
    kubernetes.objects.set('Secret/s', { ...stored(secret), metadata: { name: 's', namespace: 'team' } });
    await expect(createExporter(kubernetes)(request())).rejects.toMatchObject({ failure: 'notOwned', severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
    expect(kubernetes.writes).toEqual(['create ConfigMap/c']);
  });
});
