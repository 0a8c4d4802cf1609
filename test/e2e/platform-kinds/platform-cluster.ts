import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXISTING, PLATFORM_CLIENT_ID, TENANT } from './claims';
import definitions, { GROUP } from './definition';
import { Catalog } from '../../../src/catalog';
import type { CustomResourceDefinition } from '../../../src/catalog/crd';
import { ALLOWED } from '../../platform/allowed-objects';
import { deputyCrds } from '../../platform/deputy-objects';
import { FORBIDDEN } from '../../platform/forbidden-objects';
import { ISSUER, PLATFORM_GROUP, SUBSCRIPTION } from '../../platform/guarded-team';
import { until } from '../../setup/until';
import { kubectl, startController, type TestCluster } from '../cluster';
import { ClusterUser, type NamedObject } from '../cluster-user';
import { conditionOf, startComposer, type StoredClaim } from '../composer';
import { installCrds } from '../install-crds';
import type { RunningProgram } from '../program';
import { startReal, type RealCluster } from '../real-cluster';

const CLI = join(__dirname, '..', '..', '..', 'lib', 'cli', 'main.js');
const RBAC = 'rbac.authorization.k8s.io';
/** Namespace and name of the composer. */
export const COMPOSER = { namespace: 'cdk8s-aso-composer', name: 'composer' };

export interface PlatformCluster {
  readonly cluster: RealCluster;
  /** An administrator of the cluster. */
  readonly administrator: ClusterUser;
  /** An engineer of the platform: in its group, with the right to write environments and teams. */
  readonly engineer: ClusterUser;
  /** `kill -9` of composer and controller, which start anew. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A real API server with the sandbox's Azure, and the platform's kinds installed by `cdk8s-aso api install`. No node runs the Deployment:
 * the built composer runs here, with a token of its service account, and so with the rights that were printed and no others.
 */
export async function startPlatform(): Promise<PlatformCluster> {
  const cluster = await startReal({
    kinds: neededKinds(),
    issuer: ISSUER,
    azureFlags: ['--allow-foreign-scopes', ...EXISTING.flatMap((id) => ['--existing', id])],
  });
  const running: RunningProgram[] = [];
  const kill = async () => {
    for (const program of running.splice(0)) await program.kill();
  };
  const close = async () => {
    await kill();
    await cluster.close();
  };
  try {
    await installCrds(cluster.connection, deputyCrds() as CustomResourceDefinition[]);
    const administrator = await ClusterUser.of(cluster, 'root', 'system:masters');
    for (const object of foundation()) await done(administrator.apply(object));
    const definition = join(__dirname, 'definition.ts');
    const args = ['api', 'install', definition, '--apply', '--kubeconfig', cluster.kubeconfig];
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`api install: ${stderr}`);
    const [ofComposer, bundle] = [asComposer(cluster), bundleOf(cluster)];
    const restart = async () => {
      await kill();
      running.push(startComposer(ofComposer, bundle, ['--namespace', COMPOSER.namespace, '--name', COMPOSER.name]), startController(cluster));
    };
    await restart();
    return { cluster, administrator, engineer: await ClusterUser.of(cluster, 'pat', PLATFORM_GROUP), restart, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws where the API server has refused. */
export async function done(answer: ReturnType<ClusterUser['apply']>): Promise<void> {
  const { passed, said } = await answer;
  if (!passed) throw new Error(said);
}

/** Kinds of Azure that claims compose, and those of the objects of test/platform. */
function neededKinds() {
  const composed = definitions.flatMap(({ composes }) => composes).map(({ group, kind }) => `${group}/${kind}`);
  const tried = [...FORBIDDEN, ...ALLOWED].map(({ object }) => `${object.apiVersion.split('/')[0]}/${object.kind}`);
  const wanted = new Set([...composed, ...tried]);
  return Catalog.default().allKinds.filter(({ group, kind }) => wanted.has(`${group}/${kind}`));
}

/** The platform's own objects before its first team: its namespace, its credential, and the rights of its engineers. */
function foundation(): NamedObject[] {
  const object = (apiVersion: string, kind: string, name: string, rest: object = {}, namespace?: string) => (
    { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) }, ...rest });
  const credential = { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_TENANT_ID: TENANT, AZURE_CLIENT_ID: PLATFORM_CLIENT_ID };
  return [
    object('v1', 'Namespace', 'platform'),
    object('v1', 'Secret', 'aso-credential', { stringData: credential }, 'platform'),
    object(`${RBAC}/v1`, 'ClusterRole', 'engineers', { rules: [{ apiGroups: [GROUP], resources: ['environments', 'teams'], verbs: ['*'] }] }),
    object(`${RBAC}/v1`, 'ClusterRole', 'everything', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
    object(`${RBAC}/v1`, 'ClusterRoleBinding', 'engineers', {
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'engineers' }, subjects: [{ apiGroup: RBAC, kind: 'Group', name: PLATFORM_GROUP }],
    }),
  ];
}

/** A kubeconfig of the composer's service account. */
function asComposer(cluster: RealCluster): TestCluster {
  const token = kubectl(cluster, 'create', 'token', COMPOSER.name, '-n', COMPOSER.namespace, '--duration=2h').trim();
  const config = JSON.parse(kubectl(cluster, 'config', 'view', '--raw', '-o', 'json')) as { users: { user: object }[] };
  config.users[0]!.user = { token };
  const kubeconfig = `${cluster.kubeconfig}-composer`;
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return { ...cluster, kubeconfig };
}

/** The bundle, as the ConfigMap of the installation has it. */
function bundleOf(cluster: RealCluster): string {
  const found = kubectl(cluster, 'get', 'configmaps', '-n', COMPOSER.namespace, '-l', 'aso.cdk8s.io/definition-revision', '-o', 'json');
  const { items } = JSON.parse(found) as { items: { data: Record<string, string> }[] };
  const [bundle] = Object.values(items[0]!.data);
  const file = `${cluster.kubeconfig}-bundle.js`;
  writeFileSync(file, bundle!, { mode: 0o600 });
  return file;
}

/** Waits until claims are Ready; where they are not in time, the error has their conditions. Names are `namespace/name`. */
export async function untilReady(cluster: TestCluster, kind: 'teams' | 'services', names: readonly string[]): Promise<void> {
  let state = '';
  await until(`all ${kind} are Ready`, async () => {
    const items: StoredClaim[] = await cluster.api.list(`/apis/${GROUP}/v1/${kind}`);
    const wanted = items.filter(({ metadata }) => names.includes([metadata.namespace, metadata.name].filter(Boolean).join('/')));
    state = JSON.stringify(wanted.map(({ metadata, status }) => [metadata.name, status?.conditions]));
    return wanted.length === names.length && wanted.every((claim) => conditionOf(claim, 'Ready') === 'True Ready');
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${state}`);
  });
}
