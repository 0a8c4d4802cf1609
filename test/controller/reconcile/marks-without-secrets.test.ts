import { group, GROUPS, object, SECRETS, TestEnvironment } from './harness';
import { driftOf, isMarkOf } from '../../../engine/compare';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

const CLUSTERS: ResourceType = {
  group: 'containerservice.azure.com',
  version: 'v1api20250801',
  plural: 'managedclusters',
  kind: 'ManagedCluster',
  namespaced: true,
};
const PATH = '/properties/windowsProfile';
const PASSWORD = 'winter2026';
const profile = (adminPassword: string) => ({ adminPassword, adminUsername: 'boss' });
const secret = (password: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: 'default' },
  data: { password: Buffer.from(password).toString('base64') },
});

describe('marks in last-put', () => {
  let environment: TestEnvironment;
  beforeEach(async () => {
    environment = new TestEnvironment();
    environment.types.push(CLUSTERS);
    // Azure keeps the profile for itself: the whole of it differs, password included.
    let kept: Record<string, any> | undefined;
    environment.azure.intercept = ({ method, url, body }) => {
      if (!url.includes('/managedClusters/')) return undefined;
      if (method === 'GET' && !kept) return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
      const status = kept || method === 'GET' ? 200 : 201;
      if (method === 'PUT') kept = body as Record<string, any>;
      const { windowsProfile: _, ...properties } = kept!.properties;
      return { status, body: { ...kept, id: url.split('?')[0], properties: { ...properties, provisioningState: 'Succeeded' } } };
    };
    await environment.cluster.create(GROUPS, group());
    await environment.cluster.create(SECRETS, secret(PASSWORD));
    await environment.cluster.create(
      CLUSTERS,
      object(CLUSTERS, 'aks', {
        location: 'westeurope',
        owner: { name: 'rg' },
        dnsPrefix: 'aks',
        windowsProfile: { adminUsername: 'boss', adminPassword: { name: 'login', key: 'password' } },
      }),
    );
    await environment.start();
  });
  afterEach(() => environment.kill());

  const record = () => environment.stored(CLUSTERS, 'aks')!.metadata.annotations!['aso.cdk8s.io/last-put'];
  const puts = () => environment.azure.requests.filter((one) => one.startsWith('PUT') && one.includes('/managedClusters/')).length;

  test('tell nothing to who tries a list of passwords', async () => {
    await environment.clock.advance(10_000);
    expect(environment.ready(CLUSTERS, 'aks')).toMatchObject({ status: 'True' });
    expect(JSON.parse(record()!)).toMatchObject({ known: { [PATH]: expect.stringMatching(/^~/) } });
    const { uid } = environment.stored(CLUSTERS, 'aks')!.metadata;
    for (const salt of ['', uid!]) {
      const { mark, formerMark } = driftOf([{ path: PATH, wanted: profile(PASSWORD), actual: undefined }], {
        salt,
        secrets: [],
        versions: '',
      })[0]!;
      for (const guess of [mark, formerMark!]) expect(record()).not.toContain(guess);
    }
  });

  test('are the same after a restart: nothing is sent; another password is', async () => {
    await environment.clock.advance(10_000);
    expect(puts()).toBe(1);
    const before = record();
    await environment.kill();
    await environment.start();
    await environment.clock.advance(7_200_000);
    expect([puts(), record()]).toEqual([1, before]);
    await environment.cluster.replace(SECRETS, { ...environment.stored(SECRETS, 'login')!, data: secret('spring2027').data! });
    await environment.clock.advance(10_000);
    expect(puts()).toBe(2);
    await environment.clock.advance(7_200_000);
    expect(puts()).toBe(2);
  });

  test('of earlier versions are known, and are replaced at the next look', async () => {
    await environment.clock.advance(10_000);
    await environment.kill();
    const { mark: formerMark } = driftOf([{ path: PATH, wanted: profile(PASSWORD), actual: undefined }])[0]!;
    const stored = environment.stored(CLUSTERS, 'aks')!;
    const former = JSON.stringify({ ...JSON.parse(record()!), known: { [PATH]: formerMark } });
    const annotations = { ...stored.metadata.annotations, 'aso.cdk8s.io/last-put': former };
    await environment.cluster.replace(CLUSTERS, { ...stored, metadata: { ...stored.metadata, annotations } });
    await environment.start();
    await environment.clock.advance(7_200_000);
    expect(puts()).toBe(1);
    expect(record()).not.toContain(formerMark);
    expect(JSON.parse(record()!)).toMatchObject({ known: { [PATH]: expect.stringMatching(/^~/) } });
  });
});

describe('marks', () => {
  const secrecy = (salt: string, versions = 'v', secrets = ['hunter2']) => ({ salt, versions, secrets });
  const mark = (wanted: unknown, ...more: Parameters<typeof secrecy>) =>
    driftOf([{ path: '/a', wanted, actual: 'x' }], secrecy(...more))[0]!.mark;

  test('without secrets differ by object and by value', () => {
    expect(new Set([mark('a', '1'), mark('a', '2'), mark('b', '1')]).size).toBe(3);
    expect(mark('a', '1')).toBe(mark('a', '1'));
  });

  test('with a secret, alone or in a text, in lists and objects, whatever its case, differ by its version only', () => {
    const all = ['hunter2', 'Server=x;Password=hunter2', ['a', { b: 'HUNTER2' }], { c: 'hunter2' }].map((wanted) => mark(wanted, '1'));
    expect(new Set(all).size).toBe(1);
    expect(mark('hunter2', '1', 'w')).not.toBe(all[0]);
    expect(driftOf([{ path: '/a', wanted: 'x', actual: 'hunter2' }], secrecy('1'))[0]!.mark).toBe(all[0]);
  });

  test('an empty secret hides nothing', () => expect(mark('a', '1', 'v', [''])).not.toBe(mark('b', '1', 'v', [''])));

  test('nothing is known of what was not recorded', () => expect(isMarkOf(undefined, { path: '/a', mark: 'm' })).toBe(false));
});

