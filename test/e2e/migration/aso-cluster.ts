import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../api';
import { convertAsAso } from './aso-conversion';
import { ASO_RELEASE, asoCrd, storageVersionOf } from './aso-crd';
import { asoInstallation, REQUIRED_SETTINGS } from './aso-installation';
import { NAMESPACE } from './aso-names';
import { asoWebhooks } from './aso-webhooks';
import { CERT_MANAGER_CRDS } from './cert-manager';
import { Kubelet } from './kubelet';
import { azureObjects, databaseUsers, kindOf, kinds, pathOf, patterns, SERVER_PASSWORD, TEAMS, type NamedObject } from './objects';
import { Catalog } from '../../../src/catalog';
import { ControllerKinds } from '../../../src/operator';
import { install, type Manifest } from '../../operator/app';
import { reachable } from '../../operator/real-install';
import { until } from '../../setup/until';
import { kubectl } from '../cluster';
import { installCrds } from '../install-crds';
import { startReal, type RealCluster } from '../real-cluster';
import { freePorts } from '../servers';

/** Without an entry for the mode: both. */
export const SETTINGS = { AZURE_TARGET_NAMESPACES: TEAMS.join(',') };
/** Every so many objects, one is only looked at by ASO. */
const SKIPPED_EVERY = 13;
export const RECONCILE_POLICY = 'serviceoperator.azure.com/reconcile-policy';
const ASO = 'serviceoperator.azure.com/';
const OURS = 'aso.cdk8s.io/';
const WEBHOOK_CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

/** An object as ASO has left it: as it is read in the version in which the user applied it. */
export interface LeftObject {
  readonly named: NamedObject;
  readonly object: any;
}

/** A real kube-apiserver on which ASO has reconciled objects that are in the simulated Azure. */
export interface AsoCluster {
  readonly cluster: RealCluster;
  readonly api: Api;
  readonly kubelet: Kubelet;
  readonly left: readonly LeftObject[];
  /** Objects of kinds that ASO reconciles without ARM. It waits for their servers. */
  readonly users: readonly LeftObject[];
  /** Exported Secrets and ConfigMaps, by path. */
  readonly exported: ReadonlyMap<string, any>;
  /** File with the manifests of this package's controller. */
  readonly installFile: string;
  /** File with ASO's CRDs and chart. */
  readonly asoFile: string;
  /** Modes in which ASO's pods have run. */
  readonly modes: (string | undefined)[];
  /** Requests to Azure before ASO was there; the log goes on behind them. */
  readonly requestsBefore: number;
  /** ASO's CRDs and chart with other settings, as Helm would install it. */
  asoWith(settings: Readonly<Record<string, string>>): string;
  close(): Promise<void>;
}

/**
 * The objects are reconciled by this package's controller first, so that Azure has them. Then everything of it is taken away, and the same
 * objects are there as ASO stores them: storage versions, its annotations and owner references.
 */
export async function startAsoCluster(count: number): Promise<AsoCluster> {
  const cluster = await startReal();
  const api = new Api(cluster.connection);
  const directory = mkdtempSync(join(tmpdir(), 'migration-'));
  const [health, port] = await freePorts(2);
  const { synth } = install({ kinds: ControllerKinds.of(...patterns), settings: { targetNamespaces: TEAMS } });
  const credential = credentialOf(cluster);
  const manifests = synth().map((manifest) => withSettings(reachable(manifest, port!), credential));
  const installFile = join(directory, 'controller.json');
  writeFileSync(installFile, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  const webhooks = await asoWebhooks(NAMESPACE, port!, kinds);
  const asoFile = join(directory, 'aso.json');
  const asos = (settings: Readonly<Record<string, string>>) => (
    { apiVersion: 'v1', kind: 'List', items: [...kinds.map((kind) => asoCrd(kind, webhooks)), ...asoInstallation({ webhooks, settings: { ...credential, ...settings }, kinds })] });
  writeFileSync(asoFile, JSON.stringify(asos(SETTINGS)));
  const modes: (string | undefined)[] = [];
  const kubelet = new Kubelet(cluster, {
    ports: { health: health!, webhooks: port! },
    onAso: async ({ running, mode }) => {
      if (running) modes.push(mode);
      await (running ? webhooks.open() : webhooks.close());
    },
  });
  const objects = azureObjects(count);
  try {
    await installCrds(cluster.connection, CERT_MANAGER_CRDS);
    kubelet.start();
    const reconciled = await reconcileOurs(cluster, api, manifests, installFile, objects);
    const requestsBefore = ((await cluster.azure('/__requests')) as { requests: unknown[] }).requests.length;
    await removeOurs(cluster, api, kubelet, objects);
    await webhooks.open();
    await installCrds(cluster.connection, kinds.map((kind) => asoCrd(kind, webhooks)));
    kubectl(cluster, 'apply', '--server-side', '--force-conflicts', '-f', manifestFile(directory, { apiVersion: 'v1', kind: 'List', items: asoInstallation({ webhooks, settings: { ...credential, ...SETTINGS }, kinds }) }));
    const left = await leaveAsAso(api, objects, reconciled);
    const users = await leaveUsers(api, left);
    const exported = await recreateExports(api, reconciled.exported, left);
    await until('the pods of ASO run', () => modes.length > 0);
    return {
      cluster,
      api,
      kubelet,
      left,
      users,
      exported,
      installFile,
      asoFile,
      asoWith: (settings) => manifestFile(directory, asos(settings)),
      modes,
      requestsBefore,
      close: async () => {
        await kubelet.stop();
        await webhooks.close();
        await cluster.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    process.stderr.write(kubelet.controller?.log().slice(-3000) ?? '');
    await kubelet.stop();
    await webhooks.close();
    await cluster.close();
    throw error;
  }
}

/** The controller's own credential, but for the secret, which the simulator does not look at. */
function credentialOf({ environment }: RealCluster): Readonly<Record<string, string>> {
  return Object.fromEntries(REQUIRED_SETTINGS.map((name) => [name, environment[name] ?? '']));
}

function withSettings(manifest: Manifest, settings: Readonly<Record<string, string>>): Manifest {
  return manifest.kind === 'Secret' ? { ...manifest, stringData: { ...manifest.stringData, ...settings } } : manifest;
}

function manifestFile(directory: string, object: object): string {
  const file = join(directory, 'object.json');
  writeFileSync(file, JSON.stringify(object));
  return file;
}

interface Reconciled {
  readonly objects: ReadonlyMap<string, any>;
  readonly exported: ReadonlyMap<string, any>;
}

const isReady = (object: any): boolean => object?.status?.conditions?.some(({ type, status }: any) => type === 'Ready' && status === 'True') ?? false;

async function reconcileOurs(
  cluster: RealCluster, api: Api, manifests: readonly Manifest[], file: string, objects: readonly NamedObject[],
): Promise<Reconciled> {
  for (const name of TEAMS) await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const { name, key } = SERVER_PASSWORD;
  await api.send('POST', `/api/v1/namespaces/${TEAMS[0]}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { [key]: 'Not-a-real-0ne' } });
  kubectl(cluster, 'apply', '--server-side', '-f', file);
  kubectl(cluster, 'wait', '--for=condition=Established', ...manifests.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ metadata }) => `crd/${metadata.name}`), '--timeout=60s');
  // The API server notices the authority of each CRD a moment later.
  for (const object of objects) await created(api, object);
  const found = new Map<string, any>();
  await until('all objects are Ready', async () => {
    for (const object of objects) {
      if (found.has(pathOf(object))) continue;
      const read = await api.send('GET', pathOf(object));
      if (!isReady(read)) return false;
      found.set(pathOf(object), read);
    }
    return true;
  });
  const exported = new Map<string, any>();
  for (const namespace of TEAMS) {
    for (const plural of ['secrets', 'configmaps']) {
      for (const item of (await api.send('GET', `/api/v1/namespaces/${namespace}/${plural}`)).items) {
        if (item.metadata.ownerReferences?.length > 0) exported.set(`/api/v1/namespaces/${namespace}/${plural}`.concat('/', item.metadata.name), item);
      }
    }
  }
  return { objects: found, exported };
}

/** Until the webhooks are there, the API server refuses each object. */
async function created(api: Api, object: NamedObject): Promise<void> {
  let refusal: unknown;
  const isCreated = () => create(api, object).then(() => true, (error: unknown) => {
    refusal = error;
    return false;
  });
  await until('the webhooks answer', isCreated).catch((error: unknown) => {
    throw new Error(`${object.kind} ${object.metadata.name}: ${String(error)}`, { cause: refusal });
  });
}

const create = (api: Api, object: NamedObject) =>
  api.send('POST', pathOf(object).slice(0, pathOf(object).lastIndexOf('/')), object, { fieldManager: 'kubectl' });

async function removeOurs(cluster: RealCluster, api: Api, kubelet: Kubelet, objects: readonly NamedObject[]): Promise<void> {
  await api.send('DELETE', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/azureserviceoperator-controller-manager`);
  await until('our controller has ended', () => kubelet.controller === undefined);
  for (const plural of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) await api.send('DELETE', `${WEBHOOK_CONFIGURATIONS}/${plural}`);
  for (const kind of kinds) {
    // Without the webhooks there is no conversion; all versions are read and written as stored.
    await api.send('PATCH', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.crdName}`, { spec: { conversion: { strategy: 'None', webhook: null } } });
  }
  // References first: the garbage collector must not be faster.
  const path = (object: NamedObject) => pathOf(object, kindOf(object).facts.storageVersion);
  const released = (object: NamedObject) => api.send('PATCH', path(object), { metadata: { finalizers: null, ownerReferences: null } });
  for (const object of objects) await until('objects can be written without webhooks', () => released(object).then(() => true, () => false));
  for (const object of objects) await api.send('DELETE', path(object));
  for (const kind of kinds) await api.send('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.crdName}`);
  await until('the CRDs are gone', async () => {
    for (const kind of kinds) if (await api.find(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.crdName}`)) return false;
    return true;
  });
  const rest = ['service/azureserviceoperator-webhook-service', 'secret/aso-controller-settings', 'secret/webhook-server-cert', 'pdb/azureserviceoperator-pdb'];
  kubectl(cluster, 'delete', '-n', NAMESPACE, '--ignore-not-found', ...rest);
}

/** Owners come before their children in the list. */
async function leaveAsAso(api: Api, objects: readonly NamedObject[], reconciled: Reconciled): Promise<LeftObject[]> {
  const catalog = Catalog.default();
  const uids = new Map<string, string>();
  const left: LeftObject[] = [];
  for (const named of objects) {
    const before = reconciled.objects.get(pathOf(named));
    const { uid } = await create(api, named).then(({ metadata }) => metadata);
    uids.set(`${named.kind} ${named.metadata.namespace}/${named.metadata.name}`, uid);
    const storage = storageVersionOf(kindOf(named));
    const inStorage = convertAsAso(catalog, { ...before, apiVersion: named.apiVersion }, `${kindOf(named).group}/${storage}`);
    const ownOf = (all: Record<string, string> = {}) => Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith(OURS)));
    const metadata = {
      annotations: {
        ...ownOf(before.metadata.annotations),
        ...(left.length % SKIPPED_EVERY === 0 && named.kind !== 'ResourceGroup' && { [RECONCILE_POLICY]: 'skip' }),
      },
      labels: {
        ...ownOf(before.metadata.labels),
        [`${ASO}last-reconciled-version`]: ASO_RELEASE,
        ...(named.spec.owner && { [`${ASO}owner-uid`]: uids.get(`ResourceGroup ${named.metadata.namespace}/${named.spec.owner.name}`) }),
      },
      finalizers: before.metadata.finalizers,
      ownerReferences: asoReferences(before.metadata.ownerReferences ?? [], named.metadata.namespace, uids),
    };
    const { metadata: { generation } } = await api.send('PATCH', pathOf(named, storage), { metadata, spec: { azureName: before.spec.azureName } });
    await api.send('PATCH', pathOf(named, storage), { metadata: { annotations: { [`${ASO}latest-reconciled-generation`]: String(generation) } } });
    const conditions = inStorage.status.conditions.map((condition: any) => ({ ...condition, observedGeneration: generation }));
    await api.send('PATCH', `${pathOf(named, storage)}/status`, { status: { ...inStorage.status, conditions } });
    left.push({ named, object: await api.send('GET', pathOf(named)) });
  }
  return left;
}

/** As ASO leaves them: one that it has claimed, and two whose owners are not there. */
async function leaveUsers(api: Api, left: readonly LeftObject[]): Promise<LeftObject[]> {
  const users: LeftObject[] = [];
  for (const named of databaseUsers()) {
    const { metadata: { generation } } = await create(api, named);
    const owner = left.find(({ named: { kind, metadata } }) => kind === 'Server' && metadata.name === named.spec.owner.name);
    if (owner) {
      const { kind, metadata: { name, uid } } = owner.object;
      const ownerReferences = [{ apiVersion: `${kindOf(owner.named).group}/${storageVersionOf(kindOf(owner.named))}`, kind, name, uid }];
      await api.send('PATCH', pathOf(named), { metadata: { finalizers: [`${ASO}finalizer`], ownerReferences } });
    }
    const condition = { type: 'Ready', status: 'False', severity: 'Warning', reason: owner ? 'Failed' : 'WaitingForOwner', message: 'no server', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: generation };
    await api.send('PATCH', `${pathOf(named)}/status`, { status: { conditions: [condition] } });
    users.push({ named, object: await api.send('GET', pathOf(named)) });
  }
  return users;
}

function asoReferences(references: readonly any[], namespace: string, uids: ReadonlyMap<string, string>): any[] {
  return references.map((reference) => {
    const kind = kindOf(reference);
    return { ...reference, apiVersion: `${kind.group}/${storageVersionOf(kind)}`, uid: uids.get(`${reference.kind} ${namespace}/${reference.name}`) };
  });
}

async function recreateExports(api: Api, exported: ReadonlyMap<string, any>, left: readonly LeftObject[]): Promise<Map<string, any>> {
  const uids = new Map(left.map(({ object: { kind, metadata } }) => [`${kind} ${metadata.namespace}/${metadata.name}`, metadata.uid as string]));
  const made = new Map<string, any>();
  for (const [path, { metadata: { name, namespace, labels, annotations, ownerReferences }, ...rest }] of exported) {
    const metadata = { name, namespace, labels, annotations, ownerReferences: asoReferences(ownerReferences, namespace, uids) };
    await until(`${path} is gone`, async () => !(await api.find(path)));
    made.set(path, await api.send('POST', path.slice(0, path.lastIndexOf('/')), { ...rest, metadata }));
  }
  return made;
}
