import { copied, frozen, MemoryCluster } from './memory-cluster';
import { abortObstacle, ABORT_STEPS, versionToReturn } from '../../../cli/migrate/abort/steps';
import { Journal, type NewJournal } from '../../../cli/migrate/journal';
import { sortCrds, typeOf, type MigratedKind } from '../../../cli/migrate/migrated-kinds';
import type { MigrationContext, MigrationStep } from '../../../cli/migrate/migration-context';
import { FROM_ASO } from '../../../cli/migrate/steps/from-aso';
import { withMode } from '../../../cli/migrate/steps/stop-watchers';
import { kindsForAso } from '../../../cli/migrate/to-aso/kinds-for-aso';
import { TO_ASO, TO_ASO_TURNED } from '../../../cli/migrate/to-aso/steps';
import { goOnCommand, noteOf, POINT_OF_NO_ABORT, wayBackOf, wayBackText } from '../../../cli/migrate/way-back';
import type { Clock } from '../../../engine/clock';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { convertAsAso } from '../../e2e/migration/aso-conversion';
import { asoCrd, storageVersionOf } from '../../e2e/migration/aso-crd';
import { asoInstallation } from '../../e2e/migration/aso-installation';
import { NAMESPACE } from '../../e2e/migration/aso-names';
import { azureObjects, kindOf, kinds as allKinds, type NamedObject } from '../../e2e/migration/objects';

const webhooks = { port: 443, caBundle: '' };
/** Those with many objects, and those without storage versions. */
const kinds = allKinds.filter(({ kind }) => ['ResourceGroup', 'StorageAccount', 'VirtualNetwork', 'UserAssignedIdentity', 'ScheduledQueryRule', 'User'].includes(kind));
const catalog = Catalog.default();
const CRDS = kinds.map((kind) => frozen(asoCrd(kind, webhooks)));
const SENT = 'serviceoperator.azure.com/latest-reconciled-generation';
/** The steps that can be taken back. */
const STEPS = FROM_ASO.slice(0, FROM_ASO.findIndex(({ id }) => id === POINT_OF_NO_ABORT['from-aso'].next));

interface Started {
  readonly cluster: MemoryCluster;
  readonly context: MigrationContext;
  readonly migrated: readonly MigratedKind[];
}

/** ASO with objects as it has left them. */
async function start(): Promise<Started> {
  const cluster = new MemoryCluster();
  for (const crd of CRDS) cluster.put({ ...crd, status: { storedVersions: [crd.spec.versions.find(({ storage }) => storage)!.name] } });
  for (const object of asoInstallation({ webhooks, settings: {}, kinds })) {
    const { kind, metadata } = object as KubernetesObject;
    const status = { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 };
    cluster.put(kind === 'Deployment' ? { ...object, metadata: { ...metadata, generation: 1 }, status } : object);
  }
  azureObjects(47).filter((named) => kinds.includes(kindOf(named))).forEach((named, index) => cluster.put(asAso(named, index)));
  const { migrated } = sortCrds(CRDS as unknown as KubernetesObject[], [], catalog);
  return { cluster, context: await contextOf(cluster, { direction: 'from-aso', kinds: migrated }), migrated };
}

async function contextOf(cluster: MemoryCluster, state: NewJournal): Promise<MigrationContext> {
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'of-the-cluster' } });
  const clock: Clock = { now: () => cluster.time(), random: () => 0, schedule: () => () => undefined, sleep: async () => undefined };
  const journal = await Journal.begin(cluster.client, NAMESPACE, state, { now: 0 });
  return {
    connection: cluster.connection,
    client: cluster.client,
    applier: cluster.client,
    catalog,
    clock,
    namespace: NAMESPACE,
    journal,
    install: [],
    progress: () => undefined,
  };
}

function asAso(named: NamedObject, index: number): object {
  const kind = kindOf(named);
  const time = '2026-01-01T00:00:00Z';
  const field = (manager: string, apiVersion: string, fieldsV1: object, subresource?: string) => (
    { manager, operation: 'Update', apiVersion, time, fieldsType: 'FieldsV1', fieldsV1, ...(subresource && { subresource }) });
  const storage = `${kind.group}/${storageVersionOf(kind)}`;
  const metadata = {
    ...named.metadata,
    uid: `uid-of-${index}`,
    generation: 2,
    finalizers: ['serviceoperator.azure.com/finalizer'],
    annotations: { 'serviceoperator.azure.com/latest-reconciled-generation': '2', 'note': 'own' },
    managedFields: [field('kubectl', named.apiVersion, { 'f:spec': { 'f:location': {} } }), field('manager', storage, { 'f:status': {} }, 'status')],
  };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: time, observedGeneration: 2 }];
  return convertAsAso(catalog, { ...named, metadata, spec: { ...named.spec, azureName: named.metadata.name }, status: { conditions, id: `/x/${index}` } } as never, storage);
}

/** All that an administrator could compare before and after; managedFields and resourceVersions are the server's. */
function seen({ cluster, migrated }: Started): object {
  const all = [...cluster.objects.values()].filter(({ kind, metadata }) => kind !== 'ConfigMap' || !metadata.name.startsWith('cdk8s-aso-migration'));
  return all.map((object) => {
    const { managedFields: _, resourceVersion: __, generation = 0, ...others } = object.metadata as Record<string, unknown> & KubernetesObject['metadata'];
    const isAzure = migrated.some(({ kind }) => kind === object.kind);
    const { [SENT]: sent, ...annotations } = others.annotations ?? {};
    // Where the stored version has no place for a member, its return is a change of the spec, which counts as sent.
    if (isAzure) expect([2, 3]).toContain(generation);
    const metadata = isAzure ? { ...others, annotations, isSent: sent === String(generation) } : others;
    const { status, ...rest } = object;
    const shown = object.kind === 'Deployment' ? {} : { status };
    return copied({ ...rest, ...shown, metadata }) as { kind: string; metadata: { name: string; namespace?: string } };
  }).sort((a, b) => (`${a.kind} ${a.metadata.namespace} ${a.metadata.name}` < `${b.kind} ${b.metadata.namespace} ${b.metadata.name}` ? -1 : 1));
}

class Killed extends Error {}

/** Carries steps out as a run does; `writes` of them go well, and then the process ends. */
async function carryOut({ cluster, context }: Started, steps: readonly MigrationStep[], notes: 'done' | 'undone', writes = Infinity): Promise<boolean> {
  let left = writes;
  cluster.beforeWrite = () => {
    if ((left -= 1) < 0) throw new Killed();
  };
  try {
    // A new process reads the journal.
    const journal = (await Journal.read(cluster.client, NAMESPACE))!;
    const own = { ...context, journal };
    for (const step of steps) {
      if ((journal.state[notes] ?? []).includes(step.id)) continue;
      await step.run(own);
      await journal.update({ [notes]: [...(journal.state[notes] ?? []), step.id] });
    }
    return true;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return false;
  } finally {
    cluster.beforeWrite = () => undefined;
  }
}

async function expectAsBefore(started: Started, before: object): Promise<void> {
  const { cluster, context } = started;
  expect(await abortObstacle(context, NAMESPACE, { direction: 'from-aso', kinds: started.migrated })).toBeUndefined();
  for (let tries = 0; !(await carryOut(started, ABORT_STEPS['from-aso'], 'undone', tries < 3 ? 5 + 9 * tries : Infinity)); tries += 1) expect(tries).toBeLessThan(4);
  expect(seen(started)).toEqual(before);
  const names = [...cluster.objects.values()].filter(({ metadata }) => metadata.name.startsWith('cdk8s-aso-migration')).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names).toEqual(['ConfigMap cdk8s-aso-migration']);
  expect(cluster.writes.filter((line) => line.startsWith('DELETE') && kinds.some(({ kind }) => line.startsWith(`DELETE ${kind} `)))).toEqual([]);
}

test.each(STEPS.map(({ id }, index) => [id, index + 1] as const))('after %s everything is taken back to what ASO had', async (_, count) => {
  const started = await start();
  const before = seen(started);
  expect(await carryOut(started, STEPS.slice(0, count), 'done')).toBe(true);
  await expectAsBefore(started, before);
});

test.each(STEPS.map(({ id }, index) => [id, index] as const))('in the middle of %s, wherever it was killed', async (_, index) => {
  for (const writes of [1, 2, 4, 9, 17, 33]) {
    const started = await start();
    const before = seen(started);
    await carryOut(started, STEPS.slice(0, index), 'done');
    const ended = await carryOut(started, STEPS.slice(index, index + 1), 'done', writes);
    await expectAsBefore(started, before);
    if (ended) return;
  }
});

test('an edit of a user between a step and the way back is kept', async () => {
  const started = await start();
  const { cluster, migrated } = started;
  await carryOut(started, STEPS, 'done');
  const kind = migrated.find((each) => each.kind === 'StorageAccount')!;
  const type = typeOf(kind, kind.to);
  const account = (await cluster.get(type, 'account0', 'team-a'))!;
  const fields = (account.metadata as unknown as { managedFields: object[] }).managedFields;
  const edit = { manager: 'kubectl', operation: 'Update', apiVersion: account.apiVersion, time: new Date(cluster.time()).toISOString(), fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:tags': {} } } };
  const metadata = { ...account.metadata, managedFields: [...fields, edit] } as KubernetesObject['metadata'];
  await cluster.replace(type, { ...account, metadata, spec: { ...account.spec, tags: { number: 'edited' } } });
  expect(await carryOut(started, ABORT_STEPS['from-aso'], 'undone')).toBe(true);
  const after = (await cluster.get(typeOf(kind, kind.from), 'account0', 'team-a'))!;
  expect(after.spec).toMatchObject({ tags: { number: 'edited' }, originalVersion: kind.to });
});

test.each(['replace-crds', 'remove-aso'])('after %s the way to ASO turns round in the middle', async (last) => {
  const started = await start();
  const { cluster, context, migrated } = started;
  const before = seen(started);
  const upTo = FROM_ASO.slice(0, FROM_ASO.findIndex(({ id }) => id === last) + 1);
  expect(await carryOut(started, upTo, 'done')).toBe(true);
  expect(await abortObstacle(context, NAMESPACE, { direction: 'from-aso', kinds: migrated })).toBeDefined();
  const manifests: unknown = [...CRDS, ...asoInstallation({ webhooks, settings: {}, kinds })];
  const install = manifests as KubernetesObject[];
  const crds = [...cluster.objects.values()].filter(({ kind }) => kind === 'CustomResourceDefinition');
  const journal = (await Journal.read(cluster.client, NAMESPACE))!;
  await journal.turnRound({ kinds: kindsForAso(crds, install, catalog).migrated }, 0);
  expect(await carryOut({ ...started, context: { ...context, install } }, TO_ASO_TURNED, 'done')).toBe(true);
  const own = ({ kind }: { kind: string }) => migrated.some((each) => each.kind === kind);
  expect((seen(started) as { kind: string }[]).filter(own)).toEqual((before as { kind: string }[]).filter(own));
  expect([...cluster.objects.keys()].filter((key) => key.includes('cdk8s-aso-migration'))).toEqual([`/ConfigMap/${NAMESPACE}/cdk8s-aso-migration`]);
});

test('once a CRD is replaced, or a Deployment is gone, only the other direction leads back', async () => {
  const { cluster, context, migrated } = await start();
  const { crd, from } = migrated[0]!;
  const of = (direction: 'from-aso' | 'to-aso') => abortObstacle(context, NAMESPACE, { direction, kinds: migrated });
  expect(await of('to-aso')).toContain("of this package's controller is removed already");
  const found = cluster.objects.get(`apiextensions.k8s.io/CustomResourceDefinition//${crd}`)!;
  const versions = (found.spec as { versions: { name: string }[] }).versions.filter(({ name }) => name !== from);
  cluster.objects.set(`apiextensions.k8s.io/CustomResourceDefinition//${crd}`, { ...found, spec: { ...found.spec, versions } });
  expect(await of('from-aso')).toBe(`the CRD ${crd} is replaced already`);
  cluster.objects.delete(`apps/Deployment/${NAMESPACE}/azureserviceoperator-controller-manager`);
  expect(await of('from-aso')).toContain('of ASO is removed already');
});

test.each(['User', 'StorageAccount'])('from the first write of replace-crds on, of a %s too, abort is refused', async (first) => {
  const started = await start();
  const { cluster, context, migrated } = started;
  const kind = migrated.find((each) => each.kind === first)!;
  const journal = (await Journal.read(cluster.client, NAMESPACE))!;
  await journal.update({ kinds: [kind, ...migrated.filter((each) => each !== kind)] });
  await carryOut(started, STEPS, 'done');
  const obstacle = async () => abortObstacle(context, NAMESPACE, (await Journal.read(cluster.client, NAMESPACE))!.state);
  expect(await obstacle()).toBeUndefined();
  // The note in the journal goes first: without it, no CRD is written.
  const { length } = cluster.writes;
  expect(await carryOut(started, FROM_ASO.slice(STEPS.length, STEPS.length + 1), 'done', 1)).toBe(false);
  expect(cluster.writes.slice(length)).toEqual([expect.stringContaining('ConfigMap')]);
  expect(await obstacle()).toBe('the step replace-crds has begun');
  expect(wayBackOf((await Journal.read(cluster.client, NAMESPACE))!.state)).toBe('turn-round');
});

test('once the controller is being removed, abort is refused although its Deployment is there', async () => {
  const cluster = new MemoryCluster();
  const started = { cluster, migrated: [], context: await contextOf(cluster, { direction: 'to-aso', kinds: [] }) };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) cluster.put({ apiVersion, kind, metadata: { name: 'azureserviceoperator-x' } });
  const template = { metadata: { annotations: { 'aso.cdk8s.io/settings-digest': 'x' } }, spec: { containers: [{ name: 'manager' }] } };
  const metadata = { name: 'azureserviceoperator-controller-manager', namespace: NAMESPACE };
  cluster.put({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 1, selector: { matchLabels: { app: 'x' } }, template } });
  const { next } = POINT_OF_NO_ABORT['to-aso'];
  const before = TO_ASO.slice(0, TO_ASO.findIndex(({ id }) => id === next));
  expect(await carryOut(started, before, 'done')).toBe(true);
  const obstacle = async () => abortObstacle(started.context, NAMESPACE, (await Journal.read(cluster.client, NAMESPACE))!.state);
  expect(await obstacle()).toBeUndefined();
  // The journal, and one webhook configuration.
  expect(await carryOut(started, [TO_ASO[before.length]!], 'done', 2)).toBe(false);
  expect(cluster.writes.at(-1)).toContain('DELETE MutatingWebhookConfiguration');
  expect([...cluster.objects.values()].map(({ kind }) => kind)).toContain('Deployment');
  expect(await obstacle()).toBe('the step remove-controller has begun');
  expect(wayBackOf((await Journal.read(cluster.client, NAMESPACE))!.state)).toBe('end-first');
});

test('a mode that this migration has not set is no end of the way back', async () => {
  const started = await start();
  const { cluster } = started;
  const deployment = cluster.objects.get(`apps/Deployment/${NAMESPACE}/azureserviceoperator-controller-manager`)!;
  cluster.put(withMode(deployment));
  expect(await carryOut(started, STEPS.slice(0, 1), 'done')).toBe(true);
  const restored = () => carryOut(started, ABORT_STEPS['from-aso'], 'undone');
  await expect(restored()).rejects.toThrow(/\(container manager\) has the mode webhooks, .*: take the variables AZURE_OPERATOR_MODE and AZURE_TARGET_NAMESPACES out$/);
  cluster.put(deployment);
  expect(await restored()).toBe(true);
});

describe('the words', () => {
  const state = (done: readonly string[], more: object = {}) => ({
    format: 'cdk8s-aso/migration/1', id: 'a', cluster: 'b', startedAt: '2026-11-30T08:00:00Z', kinds: [], rewritten: [], direction: 'from-aso', done, ...more,
  }) as Parameters<typeof noteOf>[0];
  const ids = FROM_ASO.map(({ id }) => id);

  test('the point is where the order of the steps has it', () => {
    for (const [direction, steps] of [['from-aso', FROM_ASO], ['to-aso', TO_ASO]] as const) {
      const { last, next } = POINT_OF_NO_ABORT[direction];
      const order = steps.map(({ id }) => id);
      expect(order.indexOf(next)).toBe(order.indexOf(last) + 1);
      expect(order.indexOf(last)).toBeGreaterThanOrEqual(0);
    }
  });

  test('each state has a way back', () => {
    expect(ids.map((_, index) => wayBackOf(state(ids.slice(0, index))))).toEqual([
      'abort', 'abort', 'abort', 'abort', 'abort', 'abort', 'abort', 'abort-perhaps', 'turn-round', 'turn-round', 'turn-round',
    ]);
    expect(wayBackText(state([]))).toBe('Back: cdk8s-aso migrate abort --run starts ASO again, with all objects as they were.');
    expect(wayBackText(state(ids.slice(0, 9)))).toContain('Back: cdk8s-aso migrate to-aso --run --install aso-crds.yaml --install aso-chart.yaml (migrate abort cannot');
    expect(wayBackText(state(['stop-watchers'], { direction: 'to-aso' }))).toContain('starts the controller of this package again');
    expect(wayBackText(state(['stop-watchers', 'release-credentials', 'remove-controller'], { direction: 'to-aso' }))).toContain('after the end of this migration, cdk8s-aso migrate from-aso');
  });

  test('the note of the journal', () => {
    expect(noteOf(state(['stop-watchers'], { failed: { step: 'refuse-writes', message: 'no' } }))).toEqual([
      'Migration from-aso, begun at 2026-11-30T08:00:00Z, not finished. No controller reconciles.',
      'Done: stop-watchers.',
      'The last run ended in the step refuse-writes: no',
      'On: cdk8s-aso migrate from-aso --run --install dist/controller.k8s.yaml',
      'Back: cdk8s-aso migrate abort --run starts ASO again, with all objects as they were.',
    ]);
    expect(noteOf(state([], { finishedAt: '2026-11-30T08:01:00Z', abortedAt: 'x' }))).toEqual(['Migration from-aso, begun at 2026-11-30T08:00:00Z, taken back at 2026-11-30T08:01:00Z.']);
    expect(goOnCommand(state([], { abortedAt: 'x' }))).toBe('cdk8s-aso migrate abort --run');
    expect(goOnCommand(state([], { direction: 'to-aso', installedByUser: true }))).toBe('cdk8s-aso migrate to-aso --run');
  });
});

test('the version of an object: of an edit since the record, else the recorded one', () => {
  const kind = { crd: 'c', group: 'g', kind: 'K', plural: 'ks', from: 'v1storage', to: 'v2' };
  const object = (version: string, time: string) => ({
    apiVersion: 'g/v2', kind: 'K', metadata: { name: 'n', uid: 'u', managedFields: [{ manager: 'm', operation: 'Update', apiVersion: `g/${version}`, time, fieldsV1: { 'f:spec': {} } }] },
  }) as unknown as KubernetesObject;
  const record = { at: '2026-01-01T00:00:00Z', byUid: new Map([['u', 'v1']]) };
  expect(versionToReturn(object('v2', '2025-01-01T00:00:00Z'), kind, record)).toBe('v1');
  expect(versionToReturn(object('v2', '2026-01-02T00:00:00Z'), kind, record)).toBe('v2');
  expect(versionToReturn(object('v1storage', '2026-01-02T00:00:00Z'), kind, record)).toBe('v1');
});
