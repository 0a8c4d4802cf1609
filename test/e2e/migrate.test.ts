import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithKubectl, type LoggedRequest } from './cluster';
import { startAsoCluster, type AsoCluster, type LeftObject } from './migration/aso-cluster';
import { NAMESPACE, storageVersionOf } from './migration/aso-installation';
import { migrate, startMigrate } from './migration/command';
import { isStoredVersion, Load } from './migration/load';
import { kindOf, kinds, pathOf } from './migration/objects';
import { describeWithRealKubernetes } from './real-kubernetes';
import { until } from './until';

jest.setTimeout(900_000);

const OBJECTS = 300;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const JOURNAL = `/api/v1/namespaces/${NAMESPACE}/configmaps/cdk8s-aso-migration`;
const KEPT = 'aso.cdk8s.io/kept-members';
const VERSION_LABEL = 'serviceoperator.azure.com/last-reconciled-version';
interface Kill {
  /** Steps that are done. */
  readonly done: number;
  /** Kinds whose objects are rewritten. */
  readonly rewritten: number;
}

const KILLS_FROM_ASO = [
  ...[1, 2, 3, 4].map((done) => ({ done, rewritten: 0 })),
  ...[1, 3].map((rewritten) => ({ done: 4, rewritten })),
  ...[5, 6, 7, 8, 9, 10].map((done) => ({ done, rewritten: 0 })),
];

const describeBoth = describeWithRealKubernetes === describe ? describeWithKubectl : describe.skip;

describeBoth('a cluster of ASO', () => {
  let aso: AsoCluster;
  let load: Load;
  let tagged: LeftObject[];
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'));
  const azureRequests = async (): Promise<LoggedRequest[]> => (await aso.cluster.azure('/__requests')).requests.slice(aso.requestsBefore);

  beforeAll(async () => {
    aso = await startAsoCluster(OBJECTS);
    tagged = aso.left.filter((left) => left.named.spec.sku?.tier !== undefined).slice(0, 10);
    load = new Load(aso, aso.left.filter((left) => !tagged.includes(left)), tagged);
  });
  afterAll(async () => {
    await load?.stop();
    await aso?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs the command again and again, each time until it is killed, and at last to its end. */
  async function handOver(direction: string, install: string, kills: readonly Kill[]): Promise<void> {
    const args = [direction, '--run', '--yes', '--install', install];
    for (const { done, rewritten } of kills) {
      const running = startMigrate(aso.cluster, ...args);
      let ended = false;
      void running.ended.then(() => (ended = true));
      await until(`${done} steps are done`, async () => {
        if (ended) throw new Error(`the command ended: ${JSON.stringify(await running.ended)}`);
        const journal = await aso.api.find(JOURNAL);
        const state = journal && JSON.parse(journal.data.journal);
        if (state?.direction !== direction || state.finishedAt) return false;
        return state.done.length >= done && (state.rewritten.length >= rewritten || state.done.length > done);
      }, 120);
      running.kill();
      expect((await running.ended).status).toBeNull();
      const unfinished = await migrate(aso.cluster, direction, '--check', '--namespace', NAMESPACE);
      expect(unfinished.status).toBe(1);
      expect(unfinished.out).toContain('is not finished');
    }
    const outcome = await migrate(aso.cluster, ...args, '--output', 'json');
    expect(outcome.err).toBe('');
    expect(outcome).toMatchObject({ status: 0 });
    expect(JSON.parse(outcome.out)).toMatchObject({ finished: true });
  }

  test('refuses the CRDs of this package: objects are stored in versions that they do not have', async () => {
    const { items } = JSON.parse(readFileSync(aso.installFile, 'utf8')) as { items: any[] };
    const [crd] = items.filter(({ kind }) => kind === 'CustomResourceDefinition');
    await expect(aso.api.send('PATCH', `${CRDS}/${crd.metadata.name}`, crd, { fieldManager: 'kubectl', force: 'true' })).rejects.toThrow(
      /status\.storedVersions\[0\]: Invalid value: "v\w+storage": missing from spec\.versions/,
    );
  });

  test('is looked at and not changed by --check and --plan', async () => {
    const versions = async () => Promise.all(aso.left.slice(0, 20).map(async ({ named }) => (await aso.api.send('GET', pathOf(named))).metadata.resourceVersion));
    const before = await versions();
    const check = await migrate(aso.cluster, 'from-aso', '--check', '--install', aso.installFile);
    expect(check.err).toBe('');
    expect(check.status).toBe(0);
    expect(check.out).toContain('ASO v2.20.0, Deployment azureserviceoperator-system/azureserviceoperator-controller-manager');
    expect(check.out).toContain(`${OBJECTS} objects of 5 kinds`);
    expect(check.out).toContain("ASO's webhook converts 5 kinds");
    expect(check.out).toContain('Nothing stands in the way');
    const plan = await migrate(aso.cluster, 'from-aso', '--plan', '--install', aso.installFile, '--output', 'json');
    expect(plan.status).toBe(0);
    expect((JSON.parse(plan.out) as { steps: unknown[] }).steps).toHaveLength(11);
    expect(await versions()).toEqual(before);
    expect(await aso.api.find(JOURNAL)).toBeUndefined();
  });

  test('names the rights that a user lacks', async () => {
    const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
    await aso.api.send('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'viewer' } });
    const rules = [{ apiGroups: ['apps', 'apiextensions.k8s.io', ...kinds.map(({ group }) => group)], resources: ['*'], verbs: ['get', 'list'] }];
    const api = '/apis/rbac.authorization.k8s.io/v1';
    await aso.api.send('POST', `${api}/clusterroles`, { metadata: { name: 'viewer' }, rules });
    await aso.api.send('POST', `${api}/clusterrolebindings`, {
      metadata: { name: 'viewer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' },
      subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: NAMESPACE }],
    });
    const { status: { token } } = await aso.api.send('POST', `${accounts}/viewer/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    const kubeconfig = join(directory, 'viewer');
    const config = JSON.parse(readFileSync(aso.cluster.kubeconfig, 'utf8')) as object;
    writeFileSync(kubeconfig, JSON.stringify({ ...config, users: [{ name: 'user', user: { token } }] }));
    const found = await migrate({ kubeconfig }, 'from-aso', '--check', '--namespace', NAMESPACE);
    expect(found.status).toBe(1);
    expect(found.out).toContain('this user may not create, delete, get or update configmaps in the namespace azureserviceoperator-system');
    expect(found.out).toContain('this user may not update storageaccounts.storage.azure.com in all namespaces');
    expect(found.out).toContain('this user may not list or patch secrets in all namespaces');
    expect(found.out).toMatch(/\d+ findings stand in the way\./);
  });

  test('is handed over under load, killed after every step of the journal', async () => {
    load.start();
    await handOver('from-aso', aso.installFile, KILLS_FROM_ASO);
    await load.stop();
    expect(load.writes).toBeGreaterThan(100);
    expect([...load.refusals].some((message) => message.includes('cdk8s-aso migrates'))).toBe(true);
  });

  test('has the CRDs of this package, and nothing of ASO but its settings', async () => {
    for (const kind of kinds) {
      const crd = await aso.api.send('GET', `${CRDS}/${kind.crdName}`);
      expect(crd.status.storedVersions).toEqual([kind.facts.storageVersion]);
      expect(crd.spec.versions.map(({ name }: { name: string }) => name)).toEqual(kind.versionNames);
      expect(crd.metadata.annotations ?? {}).not.toHaveProperty(['cert-manager.io/inject-ca-from']);
      expect(crd.metadata.labels['app.kubernetes.io/version'] ?? '').not.toContain('v2.20');
    }
    const names = async (path: string) => (await aso.api.send('GET', path)).items.map(({ metadata }: any) => metadata.name as string);
    expect(await names(`/api/v1/namespaces/${NAMESPACE}/secrets`)).not.toContain('sh.helm.release.v1.aso2.v1');
    expect(await names(`/api/v1/namespaces/${NAMESPACE}/secrets`)).toContain('aso-controller-settings');
    expect(await names('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations')).not.toContain('azureserviceoperator-validating-webhook-configuration');
    expect(await names('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies')).not.toContain('cdk8s-aso-migration');
    expect((await names(`/api/v1/namespaces/${NAMESPACE}/configmaps`)).filter((name: string) => name.startsWith('cdk8s-aso-migration'))).toEqual(['cdk8s-aso-migration']);
    expect(aso.modes[0]).toBeUndefined();
    expect(new Set(aso.modes.slice(1))).toEqual(new Set(['webhooks']));
  });

  test('becomes Ready under the new controller, which sends no PUT and no DELETE, and no field is lost', async () => {
    const after = new Map<string, any>();
    await until('the controller has seen all objects', async () => {
      for (const { named } of aso.left) {
        if (after.has(pathOf(named))) continue;
        const object = await aso.api.send('GET', pathOf(named));
        const ready = object.status.conditions.find(({ type }: any) => type === 'Ready');
        if (object.metadata.labels[VERSION_LABEL] === 'v2.20.0' || ready.status !== 'True' || ready.observedGeneration !== object.metadata.generation) return false;
        after.set(pathOf(named), object);
      }
      return true;
    }, 180);
    const writes = (await azureRequests()).filter(({ method }) => method !== 'GET' && method !== 'POST');
    const edited = (path: string) => tagged.some(({ object }) => object.metadata.annotations['serviceoperator.azure.com/resource-id'].toLowerCase() === path.split('?')[0]!.toLowerCase());
    expect(writes.filter(({ path }) => !edited(path)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(writes.filter(({ method }) => method === 'DELETE')).toEqual([]);
    for (const left of aso.left) {
      const { named, object: before } = left;
      const object = after.get(pathOf(named));
      const value = load.accepted.get(pathOf(named));
      const isTagged = tagged.includes(left);
      const spec = isTagged && value !== undefined ? { ...before.spec, tags: { ...before.spec.tags, edited: value } } : before.spec;
      expect({ path: pathOf(named), spec: object.spec }).toEqual({ path: pathOf(named), spec });
      const { annotations, labels } = before.metadata;
      const { 'serviceoperator.azure.com/latest-reconciled-generation': _, ...others } = annotations;
      expect(object.metadata.annotations).toMatchObject({ ...others, ...(!isTagged && value !== undefined && { note: value }) });
      expect(object.metadata.labels).toMatchObject({ ...labels, [VERSION_LABEL]: object.metadata.labels[VERSION_LABEL] });
      expect(object.metadata).toMatchObject({ uid: before.metadata.uid, finalizers: before.metadata.finalizers });
      if (!isTagged) expect(object.metadata.generation).toBe(before.metadata.generation);
      const { conditions: _before, ...statusBefore } = before.status;
      if (!isTagged) expect(object.status).toMatchObject(statusBefore);
      expect(JSON.stringify(object.metadata)).not.toMatch(/v\w+storage"/);
      if (isStoredVersion(left)) expect(object.metadata.annotations).not.toHaveProperty([KEPT]);
    }
    expect(aso.left.some((left) => after.get(pathOf(left.named)).metadata.managedFields.some(({ manager, fieldsV1 }: any) => manager === 'kubectl' && fieldsV1['f:spec']?.['f:sku']?.['f:tier']))).toBe(true);
  });

  test('keeps the exported Secrets and ConfigMaps, with owners that the API server knows', async () => {
    expect(aso.exported.size).toBeGreaterThan(20);
    for (const [path, before] of aso.exported) {
      const object = await aso.api.send('GET', path);
      expect(object.data).toEqual(before.data);
      expect(object.metadata.uid).toBe(before.metadata.uid);
      const owners = ({ metadata }: any) => metadata.ownerReferences.map(({ uid }: any) => uid);
      expect(owners(object)).toEqual(owners(before));
      expect(JSON.stringify(object.metadata.ownerReferences)).not.toContain('storage"');
    }
  });

  test('deletes what belongs to a deleted owner', async () => {
    // The other namespace has the objects that were applied in other versions than the stored one.
    const group = aso.left.filter(({ named }) => named.kind === 'ResourceGroup')[1]!;
    const { namespace } = group.named.metadata;
    await aso.api.send('DELETE', pathOf(group.named), { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
    const own = aso.left.filter((left) => left.named.metadata.namespace === namespace);
    const exports = [...aso.exported.keys()].filter((path) => path.includes(`/namespaces/${namespace}/`));
    await until('the objects of the group, and what they exported, are gone', async () => {
      for (const { named } of own) if (await aso.api.find(pathOf(named))) return false;
      for (const path of exports) if (await aso.api.find(path)) return false;
      return true;
    }, 240);
    expect(await aso.api.find(pathOf(aso.left.find(({ named }) => named.kind === 'ResourceGroup' && named.metadata.namespace !== namespace)!.named))).toBeDefined();
  });

  test('goes back to ASO, killed after every step of the journal, and nothing is lost', async () => {
    const credential = `/api/v1/namespaces/${NAMESPACE}/secrets`;
    const metadata = { name: 'held', finalizers: ['aso.cdk8s.io/credential-in-use'], annotations: { 'aso.cdk8s.io/credential-used-by': 'ResourceGroup.resources.azure.com' } };
    await aso.api.send('POST', credential, { apiVersion: 'v1', kind: 'Secret', metadata });
    const found = await Promise.all(aso.left.map(async ({ named }) => ({ named, object: await aso.api.find(pathOf(named)) })));
    const rest = found.filter(({ object }) => object);
    expect(rest.length).toBeGreaterThan(OBJECTS / 3);
    const account = rest.find(({ object }) => object.spec.sku?.tier)!.named;
    expect((await aso.api.send('GET', pathOf(account, kindOf(account).facts.storageVersion))).metadata.annotations).toHaveProperty([KEPT]);
    const check = await migrate(aso.cluster, 'to-aso', '--check', '--install', aso.asoFile);
    expect(check).toMatchObject({ status: 0, err: '' });
    expect(check.out).toContain(`${rest.length} objects of 4 kinds`);
    const modes = aso.modes.length;
    const writes = async () => (await azureRequests()).filter(({ method }) => method !== 'GET' && method !== 'POST').length;
    const before = await writes();
    await handOver('to-aso', aso.asoFile, [
      ...[1, 2, 3, 4, 5].map((done) => ({ done, rewritten: 0 })),
      ...[1, 3].map((rewritten) => ({ done: 5, rewritten })),
      ...[6, 7].map((done) => ({ done, rewritten: 0 })),
    ]);
    expect(await writes()).toBe(before);
    expect(new Set(aso.modes.slice(modes, -1))).toEqual(new Set(['webhooks']));
    expect(aso.modes[aso.modes.length - 1]).toBeUndefined();
    expect((await aso.api.send('GET', `${credential}/held`)).metadata).not.toHaveProperty('finalizers');
    for (const kind of kinds) {
      const crd = await aso.api.send('GET', `${CRDS}/${kind.crdName}`);
      expect(crd.status.storedVersions).toEqual([storageVersionOf(kind)]);
    }
    for (const { named, object } of rest) {
      const version = named.apiVersion.split('/')[1];
      const returned = await aso.api.send('GET', pathOf(named));
      expect({ path: pathOf(named), spec: returned.spec }).toEqual({ path: pathOf(named), spec: object.spec });
      const { uid, finalizers, ownerReferences = [] } = object.metadata;
      expect({ ownerReferences: [], ...returned.metadata }).toMatchObject({ uid, finalizers, ownerReferences });
      expect(Object.keys(returned.metadata.annotations).filter((key) => key.startsWith('aso.cdk8s.io/'))).toEqual([]);
      const { conditions: _, ...status } = object.status;
      expect(returned.status).toMatchObject(status);
      const stored = await aso.api.send('GET', pathOf(named, storageVersionOf(kindOf(named))));
      expect({ path: pathOf(named), version: stored.spec.originalVersion }).toEqual({ path: pathOf(named), version });
      if (object.spec.sku?.tier) expect(stored.spec.sku.$propertyBag).toEqual({ tier: object.spec.sku.tier });
      expect(ownerOfSpec(returned)).toEqual(ownerOfSpec(object));
    }
  });
});

/** The fields of the spec that the user's tool owns. */
function ownerOfSpec({ metadata }: any): unknown {
  return metadata.managedFields.filter(({ manager }: any) => manager === 'kubectl').map(({ fieldsV1 }: any) => fieldsV1['f:spec']);
}
