import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { hasKubectl, kubectl } from './cluster';
import { applyObjects, buildStore, claimOf, conditionOf, startComposer, statusOf, type BuiltStore } from './composer';
import type { RunningProgram } from './program';
import { startReal, type RealCluster } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { freePorts } from './servers';
import { address, endpointsOf, NAMESPACE } from './webhook-endpoints';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const CLI = join(__dirname, '..', '..', 'lib', 'cli', 'main.js');
const KINDS = Catalog.default().allKinds.filter(({ group, kind }) => ['resources/ResourceGroup', 'storage/StorageAccount'].includes(`${group.split('.')[0]}/${kind}`));
const store = (name: string, spec: object) => ({ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name, namespace: 'shop' }, spec });

/** A guard rail of the platform: no account of the tier Cool, whoever writes it. */
const GUARD_RAIL = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'no-cool-accounts' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: [{ apiGroups: ['storage.azure.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['storageaccounts'] }] },
      validations: [{ expression: "!has(object.spec.accessTier) || object.spec.accessTier != 'Cool'", message: 'accounts are hot here' }],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'no-cool-accounts' },
    spec: { policyName: 'no-cool-accounts', validationActions: ['Deny'] },
  },
];

(realKubernetes && hasKubectl && address !== undefined ? describe : describe.skip)('reviews of claims by a real kube-apiserver', () => {
  let cluster: RealCluster;
  let built: BuiltStore;
  let composer: RunningProgram;

  /** The refusal of the API server; empty: the claim is stored. */
  const refusal = (object: object, ...flags: string[]) => {
    const { status, stderr } = spawnSync('kubectl', ['--kubeconfig', cluster.kubeconfig, 'apply', '-f', '-', ...flags], { input: JSON.stringify(object), encoding: 'utf8' });
    return status === 0 ? '' : stderr;
  };

  beforeAll(async () => {
    built = buildStore(undefined, undefined, NAMESPACE);
    cluster = await startReal({ kinds: KINDS, apiServerFlags: ['--enable-aggregator-routing=true'] });
    for (const name of ['shop', NAMESPACE]) kubectl(cluster, 'create', 'namespace', name);
    const objects = parseAllDocuments(execFileSync(process.execPath, [CLI, 'api', 'install', built.bundle, '--admission'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      .map((document) => document.toJS() as { kind: string });
    kubectl(cluster, 'apply', '--server-side', '-f', built.crds);
    kubectl(cluster, 'wait', '--for=condition=Established', 'crd/stores.platform.example.com', '--timeout=30s');
    const [port] = await freePorts(1);
    applyObjects(cluster, [...GUARD_RAIL, ...endpointsOf(port!), ...objects.filter(({ kind }) => kind === 'ValidatingWebhookConfiguration')]);
    composer = startComposer(cluster, built.bundle, ['--namespace', NAMESPACE, '--webhook-port', String(port), '--admission'], { KUBERNETES_SERVICE_HOST: address! });
    await until('reviews begin', () => refusal(store('probe', { mistake: 'throws' }), '--dry-run=server') !== '');
  });
  afterAll(async () => {
    await composer?.kill();
    await cluster?.close();
    built?.end();
  });

  test.each<[string, object, string]>([
    ['does not fit the schema', { accounts: ['x', 'x'] }, 'InvalidSpec: spec.accounts: the names have to differ'],
    ['cannot be composed', { mistake: 'throws' }, 'ComposeFailed: no region is free'],
    ['reads what is not there', { region: 'nowhere' }, 'ComposeFailed: there is no region nowhere'],
    ['composes too much', { mistake: 'too-many' }, 'TooManyObjects: '],
    ['composes what a guard rail forbids', { accounts: ['data'], tier: 'Cool' }, 'accounts are hot here'],
  ])('a claim that %s is not stored', async (_, spec, message) => {
    expect(refusal(store('bad', spec))).toContain(message);
    expect(await claimOf(cluster, 'bad')).toBeUndefined();
  });

  test('a claim that is right is stored, composed, and stays right when it is changed', async () => {
    expect(refusal(store('one', { accounts: ['data'] }))).toBe('');
    await until('Synced', async () => conditionOf(await claimOf(cluster, 'one'), 'Synced') === 'True Applied');
    expect(refusal(store('one', { accounts: ['data'], tier: 'Cool' }))).toContain('accounts are hot here');
    expect(refusal(store('one', { accounts: ['data', 'more'] }))).toBe('');
    await until('changed', async () => (await statusOf(cluster, 'one')).objects?.length === 3);
    expect(conditionOf(await claimOf(cluster, 'one'), 'Synced')).toBe('True Applied');
  });

  test('an object of somebody else is in the way', () => {
    applyObjects(cluster, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two-notes', namespace: 'shop' }, data: {} }]);
    expect(refusal(store('two', { notes: 'x' }))).toContain('ObjectExists: ConfigMap shop/two-notes');
  });

  test('a composer that is gone stops nobody', async () => {
    await composer.kill();
    expect(refusal(store('bad', { mistake: 'throws' }))).toBe('');
    kubectl(cluster, 'delete', 'store', 'bad', '-n', 'shop', '--timeout=30s');
  });
});
