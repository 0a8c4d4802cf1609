import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithKubectl, kubectl, type LoggedRequest } from './cluster';
import { RECONCILE_POLICY, SETTINGS, startAsoCluster, type AsoCluster, type LeftObject } from './migration/aso-cluster';
import { storageVersionOf } from './migration/aso-crd';
import { NAMESPACE } from './migration/aso-names';
import { Azure } from './migration/azure';
import { migrate, startMigrate } from './migration/command';
import { exactUser } from './migration/exact-user';
import { isStoredVersion, Load } from './migration/load';
import { kindOf, kinds, pathOf, TEAMS } from './migration/objects';
import { IN_CLUSTER, IN_MANIFESTS, policiesKnown, type Obstacle } from './migration/obstacles';
import { objectUnderWay, type ObjectUnderWay } from './migration/operation';
import { describeWithRealKubernetes } from './real-kubernetes';
import type { Finding } from '../../cli/migrate/finding';
import { atNight } from '../setup/at-night';
import { until } from '../setup/until';

const OBJECTS = atNight(300, 60);
/** Objects that no controller can make Ready. */
const USERS = 3;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const JOURNAL = `/api/v1/namespaces/${NAMESPACE}/configmaps/cdk8s-aso-migration`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/cdk8s-aso-migration`;
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const TOKEN = 'serviceoperator.azure.com/poller-resume-token';
const SENT = 'serviceoperator.azure.com/latest-reconciled-generation';
const KEPT = 'aso.cdk8s.io/kept-members';
const VERSION_LABEL = 'serviceoperator.azure.com/last-reconciled-version';
interface Kill {
  /** Steps that are done. */
  readonly done: number;
  /** Kinds whose objects are rewritten. */
  readonly rewritten: number;
}

/** Modes of ASO with watchers. */
const WATCHERS = [undefined, 'watchers-and-webhooks'];
/** After each step at night; else amid and after the rewriting of objects, where a half of something can be left. */
const KILLS_FROM_ASO = atNight([
  ...[1, 2, 3, 4].map((done) => ({ done, rewritten: 0 })),
  ...[1, 3].map((rewritten) => ({ done: 4, rewritten })),
  ...[5, 6, 7, 8, 9, 10].map((done) => ({ done, rewritten: 0 })),
], [{ done: 4, rewritten: 4 }, { done: 8, rewritten: 0 }]);
const KILLS_TO_ASO = atNight([
  ...[1, 2, 3, 4, 5].map((done) => ({ done, rewritten: 0 })),
  ...[1, 3].map((rewritten) => ({ done: 5, rewritten })),
  ...[6, 7].map((done) => ({ done, rewritten: 0 })),
], [{ done: 1, rewritten: 0 }, { done: 5, rewritten: 4 }]);

/**
 * At night after each step until objects are rewritten; else in the middle of that. The steps after it take no longer than a kill does, and
 * the CRDs may be replaced then: those are taken back on an API server in memory.
 */
const ABORTS = atNight([
  ...[1, 2, 3, 4].map((done) => ({ done, rewritten: 0 })),
  { done: 4, rewritten: 2 },
], [{ done: 4, rewritten: 2 }]);
const POLICY = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/cdk8s-aso-migration';
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/azureserviceoperator-controller-manager`;

/** The second round: the same commands once more, with other rights and by other hands. */
const testAtNight = atNight(test, test.skip);

const describeBoth = describeWithRealKubernetes === describe ? describeWithKubectl : describe.skip;

describeBoth('a cluster of ASO', () => {
  let aso: AsoCluster;
  let load: Load;
  let tagged: LeftObject[];
  let azure: Azure;
  let underWay: ObjectUnderWay;
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'));
  const azureRequests = async (): Promise<LoggedRequest[]> => (await aso.cluster.azure('/__requests')).requests.slice(aso.requestsBefore);

  beforeAll(async () => {
    aso = await startAsoCluster(OBJECTS);
    tagged = aso.left.filter((left) => left.named.spec.sku?.tier !== undefined).slice(0, 10);
    load = new Load(aso, aso.left.filter((left) => !tagged.includes(left)), tagged);
    azure = new Azure(aso.cluster.environment);
  });
  afterAll(async () => {
    await load?.stop();
    await aso?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs the command again and again, each time until it is killed, and at last to its end. */
  async function handOver(
    direction: string, install: string, kills: readonly Kill[], onKilled: (step: number) => void = () => undefined,
  ): Promise<void> {
    const args = [direction, '--run', '--yes', '--install', install];
    for (const [index, { done, rewritten }] of kills.entries()) {
      const running = startMigrate(aso.cluster, ...args);
      let ended = false;
      void running.ended.then(() => (ended = true));
      await until(`${done} steps are done`, async () => {
        const hadEnded = ended;
        const state = await journal();
        // The last steps take a moment: they may be faster than a look at the journal.
        if (hadEnded && state?.direction === direction && state.finishedAt) return true;
        if (hadEnded) throw new Error(`the command ended: ${JSON.stringify(await running.ended)}`);
        if (state?.direction !== direction || state.finishedAt) return false;
        return state.done.length >= done && (state.rewritten.length >= rewritten || state.done.length > done);
      });
      running.kill();
      const { status } = await running.ended;
      onKilled(index);
      // It may have been faster than the signal, too.
      if ((await journal()).finishedAt) return;
      expect(status).toBeNull();
      const unfinished = await migrate(aso.cluster, direction, '--check', '--namespace', NAMESPACE);
      expect(unfinished.status).toBe(1);
      expect(unfinished.out).toContain('is not finished');
      // Twice, the lease of the killed process expires; that takes ten seconds. A process may be killed before it has the lease.
      if (index !== 0 && index !== kills.length - 1 && await aso.api.find(LEASE)) await aso.api.send('DELETE', LEASE);
    }
    const outcome = await migrate(aso.cluster, ...args, '--output', 'json');
    expect(outcome.err).toBe('');
    expect(outcome).toMatchObject({ status: 0 });
    expect(JSON.parse(outcome.out)).toMatchObject({ finished: true });
  }

  const journal = async (): Promise<any> => {
    const object = await aso.api.find(JOURNAL);
    return object && JSON.parse(object.data.journal);
  };
  const writes = async (): Promise<string[]> => (await azureRequests())
    .filter(({ method }) => method !== 'GET' && method !== 'POST').map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  const readyOf = (object: any) => object.status.conditions.find(({ type }: any) => type === 'Ready');

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
    expect(check.out).toContain(`${OBJECTS + USERS} objects of ${kinds.length} kinds`);
    expect(check.out).toContain(`ASO's webhook converts ${kinds.length - USERS} kinds`);
    expect(check.out).toContain('Nothing stands in the way');
    const plan = await migrate(aso.cluster, 'from-aso', '--plan', '--install', aso.installFile, '--output', 'json');
    expect(plan.status).toBe(0);
    expect((JSON.parse(plan.out) as { steps: unknown[] }).steps).toHaveLength(11);
    expect(await versions()).toEqual(before);
    expect(await aso.api.find(JOURNAL)).toBeUndefined();
  });

  test('is looked at again: each of many obstacles is found before anything is changed', async () => {
    expect(IN_MANIFESTS.length + IN_CLUSTER.length).toBeGreaterThanOrEqual(25);
    const found = async (file: string) => JSON.parse((await migrate(aso.cluster, 'from-aso', '--check', '--install', file, '--output', 'json')).out).findings as Finding[];
    const isNamed = ({ severity, finding }: Obstacle, findings: readonly Finding[]) => (
      findings.some((each) => each.severity === severity && finding.test(each.message)));
    const clean = (await found(aso.installFile)).filter(({ severity }) => severity !== 'note');
    expect(clean.filter(({ severity }) => severity === 'stop')).toEqual([]);
    expect(clean.map(({ severity, message }) => `${severity} ${message.split(':')[0]}`).sort()).toEqual([
      'warning 1 object is not Ready (Failed)',
      "warning 2 objects without ASO's finalizer",
      'warning 2 objects are not Ready (WaitingForOwner)',
    ].sort());
    const manifests = JSON.parse(readFileSync(aso.installFile, 'utf8')) as { items: any[] };
    for (const { change } of IN_MANIFESTS) change?.(manifests.items);
    const file = join(directory, 'obstacles.json');
    writeFileSync(file, JSON.stringify(manifests));
    const inManifests = await found(file);
    expect(IN_MANIFESTS.filter((each) => !isNamed(each, inManifests)).map(({ name }) => name)).toEqual([]);
    const undo: (() => Promise<unknown>)[] = [];
    try {
      for (const { plant } of IN_CLUSTER) undo.unshift(await plant!(aso));
      await policiesKnown(aso);
      const inCluster = await found(aso.installFile);
      expect(IN_CLUSTER.filter((each) => !isNamed(each, inCluster)).map(({ name }) => name)).toEqual([]);
    } finally {
      for (const act of undo) await act();
    }
    expect(await aso.api.find(JOURNAL)).toBeUndefined();
    await until('nothing of it is left', async () => (await found(aso.installFile)).filter(({ severity }) => severity !== 'note').length === clean.length);
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
    expect(found.out).toContain('this user may not create, delete or update configmaps in the namespace azureserviceoperator-system');
    expect(found.out).toMatch(/this user may not create or update .*\bstorageaccounts\.storage\.azure\.com\b.* in all namespaces/);
    expect(found.out).toContain('this user may not get, list or patch configmaps, secrets in all namespaces');
    expect(found.out).toMatch(/\d+ findings stand in the way\./);
  });

  test('is taken back to ASO, wherever the command was killed', async () => {
    const settings = async () => (await aso.api.send('GET', DEPLOYMENT)).spec.template.spec.containers[0].env;
    const env = await settings();
    for (const { done, rewritten } of ABORTS) {
      const running = startMigrate(aso.cluster, 'from-aso', '--run', '--yes', '--install', aso.installFile);
      let ended = false;
      void running.ended.then(() => (ended = true));
      await until(`${done} steps are done`, async () => {
        if (ended) throw new Error(`the command ended: ${JSON.stringify(await running.ended)}`);
        const state = await journal();
        if (!state || state.finishedAt) return false;
        return state.done.length > done || (state.done.length === done && state.rewritten.length >= rewritten);
      });
      running.kill();
      await running.ended;
      const status = await migrate(aso.cluster, '--status');
      expect(status.out).toContain('Back: cdk8s-aso migrate abort --run');
      const abort = await migrate(aso.cluster, 'abort', '--run', '--yes');
      expect(abort).toMatchObject({ status: 0, err: '', out: expect.stringContaining('The migration is taken back: ASO reconciles again.') });
      expect(await settings()).toEqual(env);
      expect(await aso.api.find(POLICY)).toBeUndefined();
      for (const kind of kinds) {
        const crd = await aso.api.send('GET', `${CRDS}/${kind.crdName}`);
        expect(crd.status.storedVersions).toEqual([storageVersionOf(kind)]);
      }
      for (const left of aso.left) {
        const { named, object: before } = left;
        const object = await aso.api.send('GET', pathOf(named));
        const { [SENT]: sent, ...annotations } = object.metadata.annotations;
        const { [SENT]: _, ...annotationsBefore } = before.metadata.annotations;
        const { uid, labels, finalizers } = object.metadata;
        expect({ path: pathOf(named), spec: object.spec, status: object.status, annotations, uid, labels, finalizers }).toEqual({
          path: pathOf(named),
          spec: before.spec,
          status: before.status,
          annotations: annotationsBefore,
          uid: before.metadata.uid,
          labels: before.metadata.labels,
          finalizers: before.metadata.finalizers,
        });
        // A member without a place in the stored version comes back as a change of the spec, which counts as sent.
        expect([before.metadata.generation, before.metadata.generation + 1]).toContain(object.metadata.generation);
        expect(sent).toBe(String(object.metadata.generation));
        Object.assign(left, { object });
      }
    }
    expect(await writes()).toEqual([]);
    expect(aso.modes.at(-1)).toBeUndefined();
    aso.modes.splice(0, aso.modes.length - 1);
  });

  test('is handed over under load, killed after steps of the journal', async () => {
    underWay = await objectUnderWay(aso, azure);
    load.start();
    try {
      await handOver('from-aso', aso.installFile, KILLS_FROM_ASO);
    } finally {
      await load.stop();
    }
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

  test('follows an operation of ASO that is under way to its end, by its token and without another PUT', async () => {
    const path = pathOf(underWay.named);
    const poll = new URL(JSON.parse(underWay.token).token.asyncURL).pathname.toLowerCase();
    await until('the controller polls the operation of ASO', async () => (
      (await azureRequests()).some((request) => request.method === 'GET' && request.path.toLowerCase().startsWith(poll))));
    const running = await aso.api.send('GET', path);
    expect(readyOf(running)).toMatchObject({ status: 'False', reason: 'Reconciling' });
    expect(running.metadata.annotations[TOKEN]).toBe(underWay.token);
    await azure.letEnd();
    await until('the operation has ended', async () => readyOf(await aso.api.send('GET', path)).status === 'True');
    expect((await aso.api.send('GET', path)).metadata.annotations).not.toHaveProperty([TOKEN]);
    expect((await writes()).filter((line) => line.toLowerCase().endsWith('/under-way'))).toEqual([`PUT ${underWay.id}`]);
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
    });
    const mine = new Set([underWay.id, ...tagged.map(({ object }) => object.metadata.annotations['serviceoperator.azure.com/resource-id'])].map((id: string) => `PUT ${id}`.toLowerCase()));
    expect((await writes()).filter((line) => !mine.has(line.toLowerCase()))).toEqual([]);
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

  test('keeps objects of kinds without ARM, and those that ASO only looks at', async () => {
    for (const { named, object: before } of aso.users) {
      const object = await aso.api.send('GET', pathOf(named));
      const { uid, generation, ownerReferences = [] } = before.metadata;
      expect(object).toMatchObject({ spec: before.spec, metadata: { uid, generation } });
      const { metadata: { ownerReferences: owners = [] } } = object;
      expect(owners.map((owner: any) => owner.uid)).toEqual(ownerReferences.map((owner: any) => owner.uid));
      expect(JSON.stringify(owners)).not.toContain('storage"');
    }
    expect(aso.left.filter(({ object }) => object.metadata.annotations[RECONCILE_POLICY] === 'skip').length).toBeGreaterThan(3);
  });

  test('keeps the exported Secrets and ConfigMaps, with owners that the API server knows', async () => {
    expect(aso.exported.size).toBeGreaterThan(OBJECTS / 10);
    for (const [path, before] of aso.exported) {
      const object = await aso.api.send('GET', path);
      expect(object.data).toEqual(before.data);
      expect(object.metadata.uid).toBe(before.metadata.uid);
      const owners = ({ metadata }: any) => metadata.ownerReferences.map(({ uid }: any) => uid);
      expect(owners(object)).toEqual(owners(before));
      expect(JSON.stringify(object.metadata.ownerReferences)).not.toContain('storage"');
    }
  });

  test('goes back to ASO with all objects, under load, killed after steps of the journal: nothing is sent, and nothing is lost', async () => {
    const metadata = { name: 'held', finalizers: ['aso.cdk8s.io/credential-in-use'], annotations: { 'aso.cdk8s.io/credential-used-by': 'ResourceGroup.resources.azure.com' } };
    await aso.api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata });
    const account = aso.left.find(({ object }) => object.spec.sku?.tier)!.named;
    expect((await aso.api.send('GET', pathOf(account, kindOf(account).facts.storageVersion))).metadata.annotations).toHaveProperty([KEPT]);
    const check = await migrate(aso.cluster, 'to-aso', '--check', '--install', aso.asoFile);
    expect(check).toMatchObject({ status: 0, err: '' });
    expect(check.out).toContain(`${OBJECTS + USERS + 1} objects of ${kinds.length} kinds`);
    await azure.keepRunning();
    const sent = pathOf(underWay.named);
    await aso.api.send('PATCH', sent, { spec: { tags: { way: 'back' } } });
    await until('Azure works on the object', async () => (await aso.api.send('GET', sent)).metadata.annotations[TOKEN] !== undefined);
    const before = await Promise.all([underWay, ...aso.left].map(async ({ named }) => ({ named, object: await aso.api.send('GET', pathOf(named)) })));
    const modes = aso.modes.length;
    const requests = await writes();
    const untagged = aso.left.filter((left) => !tagged.includes(left));
    const back = new Load(aso, untagged, []);
    // Once the watchers are stopped, an edited spec is sent by ASO alone.
    const edits = new Load(aso, [], tagged);
    back.start();
    try {
      await handOver('to-aso', aso.asoFile, KILLS_TO_ASO, (index) => {
        if (index === 0) edits.start();
      });
    } finally {
      await back.stop();
      await edits.stop();
    }
    expect(back.writes).toBeGreaterThan(100);
    expect(edits.writes).toBeGreaterThan(20);
    expect(await writes()).toEqual(requests);
    expect(new Set(aso.modes.slice(modes, -1))).toEqual(new Set(['webhooks']));
    expect(WATCHERS).toContain(aso.modes[aso.modes.length - 1]);
    expect((await aso.api.send('GET', `${SECRETS}/held`)).metadata).not.toHaveProperty('finalizers');
    for (const kind of kinds) {
      const crd = await aso.api.send('GET', `${CRDS}/${kind.crdName}`);
      expect(crd.status.storedVersions).toEqual([storageVersionOf(kind)]);
    }
    for (const { named, object } of before) {
      const path = pathOf(named);
      const version = named.apiVersion.split('/')[1];
      const returned = await aso.api.send('GET', path);
      const edited = edits.accepted.get(path);
      const spec = edited === undefined ? object.spec : { ...object.spec, tags: { ...object.spec.tags, edited } };
      expect({ path, spec: returned.spec }).toEqual({ path, spec });
      const { uid, finalizers, ownerReferences = [], labels, annotations } = object.metadata;
      expect({ ownerReferences: [], ...returned.metadata }).toMatchObject({ uid, finalizers, ownerReferences, labels });
      const others = Object.entries(annotations).filter(([key]) => !key.startsWith('aso.cdk8s.io/'));
      const note = back.accepted.get(path);
      const kept = { ...Object.fromEntries(others), ...(edited === undefined && { [SENT]: String(returned.metadata.generation) }) };
      expect(returned.metadata.annotations).toEqual({ ...kept, ...(note !== undefined && { note }) });
      expect({ path, status: returned.status }).toEqual({ path, status: object.status });
      expect(readyOf(returned)).toMatchObject(named === underWay.named ? { status: 'False', reason: 'Reconciling' } : { status: 'True' });
      const stored = await aso.api.send('GET', pathOf(named, storageVersionOf(kindOf(named))));
      expect({ path, version: stored.spec.originalVersion }).toEqual({ path, version });
      if (object.spec.sku?.tier) expect(stored.spec.sku.$propertyBag).toEqual({ tier: object.spec.sku.tier });
      // A write while no webhook answers loses the records: those of the user's own writes are out of the command's hands.
      const isLost = note !== undefined && returned.metadata.managedFields === undefined;
      if (edited === undefined && !isLost) expect(ownerOfSpec(returned)).toEqual(ownerOfSpec(object));
    }
  });

  test("an operation of this controller that is under way has a token in azcore's format, as ASO reads it", async () => {
    const { metadata: { annotations } } = await aso.api.send('GET', pathOf(underWay.named));
    const { type, token } = JSON.parse(annotations[TOKEN]);
    expect({ type, members: Object.keys(token).sort() }).toEqual({ type: 'GenericResource', members: ['asyncURL', 'finalState', 'locURL', 'method', 'origURL', 'state'] });
    expect(token).toMatchObject({ method: 'PUT', finalState: '' });
    expect(new URL(token.origURL).pathname.toLowerCase()).toBe(underWay.id.toLowerCase());
    expect(new URL(token.asyncURL).protocol).toBe('https:');
    expect(annotations['serviceoperator.azure.com/poller-resume-id']).toBe('GenericClient.CreateOrUpdateByID');
    await azure.letEnd();
  });

  testAtNight('is handed over again, by a user with no right but those that the check asks for', async () => {
    const kubeconfig = await exactUser(aso, join(directory, 'exact'));
    const earlier = await writes();
    const outcome = await migrate({ kubeconfig }, 'from-aso', '--run', '--yes', '--install', aso.installFile, '--output', 'json');
    expect(outcome.err).toBe('');
    expect(JSON.parse(outcome.out)).toMatchObject({ finished: true });
    await until('all objects are Ready under the new controller', async () => {
      for (const { named } of [underWay, ...aso.left]) {
        const object = await aso.api.send('GET', pathOf(named));
        if (readyOf(object).status !== 'True' || readyOf(object).observedGeneration !== object.metadata.generation) return false;
      }
      return true;
    });
    const ids = new Set(tagged.map(({ object }) => `PUT ${object.metadata.annotations['serviceoperator.azure.com/resource-id']}`.toLowerCase()));
    expect((await writes()).slice(earlier.length).filter((line) => !ids.has(line.toLowerCase()))).toEqual([]);
  });

  testAtNight('deletes what belongs to a deleted owner', async () => {
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
    });
    expect(await aso.api.find(pathOf(aso.left.find(({ named }) => named.kind === 'ResourceGroup' && named.metadata.namespace !== namespace)!.named))).toBeDefined();
  });

  testAtNight('goes back to ASO that the user installs, in two steps with instructions', async () => {
    const args = ['to-aso', '--run', '--yes'];
    const check = await migrate(aso.cluster, 'to-aso', '--check');
    expect(check.status).toBe(0);
    expect(check.out).toContain('without --install, you install ASO in the middle');
    const requests = await writes();
    const modes = aso.modes.length;
    for (const attempt of [1, 2]) {
      const paused = await migrate(aso.cluster, ...args);
      expect({ attempt, ...paused }).toMatchObject({ status: 1, err: '' });
      expect(paused.out).toContain('Install ASO now, in mode webhooks');
      expect(paused.out).toMatch(/helm upgrade --install azure-service-operator .* --version v2\.\d+\.\d+ --namespace azureserviceoperator-system .*--set crdPattern='[^']*storage\.azure\.com\/StorageAccount/);
    }
    const rest = aso.left.filter(({ named }) => named.metadata.namespace === TEAMS[0]);
    const stored = (named: LeftObject['named']) => pathOf(named, kindOf(named).facts.storageVersion);
    const before = await Promise.all(rest.map(async ({ named }) => ({ named, object: await aso.api.send('GET', stored(named)) })));
    const helm = (settings: Record<string, string>) => kubectl(aso.cluster, 'apply', '--server-side', '--force-conflicts', '-f', aso.asoWith(settings));
    helm({ AZURE_OPERATOR_MODE: 'webhooks', AZURE_TARGET_NAMESPACES: '' });
    const returned = await migrate(aso.cluster, ...args);
    expect(returned).toMatchObject({ status: 1, err: '' });
    expect(returned.out).toContain('Start its watchers now');
    const half = await migrate(aso.cluster, 'to-aso', '--check', '--output', 'json');
    expect(JSON.parse(half.out).findings[0]).toMatchObject({ message: expect.stringContaining('the next step is await-watchers') });
    helm({ ...SETTINGS, AZURE_OPERATOR_MODE: '' });
    expect(await migrate(aso.cluster, ...args)).toMatchObject({ status: 0, err: '' });
    expect(new Set(aso.modes.slice(modes, -1))).toEqual(new Set(['webhooks']));
    expect(WATCHERS).toContain(aso.modes[aso.modes.length - 1]);
    expect(await writes()).toEqual(requests);
    for (const { named, object } of before) {
      const now = await aso.api.send('GET', pathOf(named));
      expect({ path: pathOf(named), uid: now.metadata.uid, ready: readyOf(now).status }).toEqual({ path: pathOf(named), uid: object.metadata.uid, ready: 'True' });
      expect(now.metadata.annotations).not.toHaveProperty([KEPT]);
    }
  });

  test('deletes what belongs to a deleted owner under ASO, too', async () => {
    const [namespace] = TEAMS;
    const own = [underWay, ...aso.left].filter(({ named }) => named.metadata.namespace === namespace);
    const group = own.find(({ named }) => named.kind === 'ResourceGroup')!;
    const exports = [...aso.exported.keys()].filter((path) => path.includes(`/namespaces/${namespace}/`));
    await aso.api.send('DELETE', pathOf(group.named), { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
    await until('the objects of the group, and what they exported, are gone', async () => {
      let left = 0;
      for (const { named } of own) {
        const object = await aso.api.find(pathOf(named));
        if (object) left += 1;
        // ASO's part: it deletes the resource and releases the object.
        if (object?.metadata.deletionTimestamp) await aso.api.send('PATCH', pathOf(named), { metadata: { finalizers: null } }).catch(() => undefined);
      }
      for (const path of exports) if (await aso.api.find(path)) left += 1;
      return left === 0;
    });
  });
});

/** The fields of the spec that the user's tool owns. */
function ownerOfSpec({ metadata }: any): unknown {
  return metadata.managedFields.filter(({ manager }: any) => manager === 'kubectl').map(({ fieldsV1 }: any) => fieldsV1['f:spec']);
}
