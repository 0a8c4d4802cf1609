import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { kubectl, type TestCluster } from './cluster';
import { applyObjects, buildStore, claimOf, conditionOf, startComposer, type BuiltStore } from './composer';
import { builtProgram, startProgram, type RunningProgram } from './program';
import { startReal, type RealCluster } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
const ACCOUNTS = '/apis/storage.azure.com/v1api20230101/namespaces/shop/storageaccounts';
const CLI = builtProgram('cli');
const KINDS = Catalog.default().allKinds.filter(({ group, kind }) => ['resources/ResourceGroup', 'storage/StorageAccount'].includes(`${group.split('.')[0]}/${kind}`));
const ACCOUNT = 'system:serviceaccount:cdk8s-aso-composer:composer';
const NAMESPACE = 'cdk8s-aso-composer';

(realKubernetes ? describe : describe.skip)('api install on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let built: BuiltStore;
  let composer: RunningProgram | undefined;
  /** The kubeconfig of the composer's service account. */
  let account: TestCluster;

  const api = (as: TestCluster, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'api', ...args, '--kubeconfig', as.kubeconfig], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const kubeconfigWith = (name: string, token: string): TestCluster => {
    const kubeconfig = `${cluster.kubeconfig}-${name}`;
    const config = JSON.parse(execFileSync('kubectl', ['--kubeconfig', cluster.kubeconfig, 'config', 'view', '--raw', '-o', 'json'], { encoding: 'utf8' })) as { users: { user: object }[] };
    config.users[0]!.user = { token };
    writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
    return { ...cluster, kubeconfig };
  };
  /** The API server's answer to a write of the composer's service account; empty where it is done. */
  const asComposer = (object: object, ...verb: string[]) => {
    const { status, stderr } = spawnSync('kubectl', ['--kubeconfig', account.kubeconfig, ...verb, '-f', '-'], { input: JSON.stringify(object), encoding: 'utf8' });
    return status === 0 ? '' : stderr;
  };
  const configMap = (namespace: string, name: string, labels: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels } });
  const MARK = { 'applyset.kubernetes.io/part-of': 'applyset-x-v1' };

  beforeAll(async () => {
    built = buildStore();
    cluster = await startReal({ kinds: KINDS });
    kubectl(cluster, 'create', 'namespace', 'shop');
    const installed = api(cluster, 'install', built.bundle, '--apply');
    expect([installed.status, installed.stderr]).toEqual([0, expect.stringContaining('note: applied: revision')]);
    account = kubeconfigWith('composer', kubectl(cluster, 'create', 'token', 'composer', '-n', NAMESPACE).trim());
    // The policy is in force some moments after it was created.
    await until('the guard is in force', () => asComposer(configMap('shop', 'probe'), 'create').includes('writes only objects with the label'));
  });
  afterAll(async () => {
    await composer?.kill();
    await cluster?.close();
    built?.end();
  });

  test('applied again, nothing changes', () => {
    expect(api(cluster, 'install', built.bundle, '--apply').stdout).toMatch(/^0 objects created, 0 changed, 14 as they are\n$/);
    expect(api(cluster, 'install', built.bundle, '--dry-run', '--replicas', '3').stdout).toMatch(/changed Deployment[^]*- +replicas: 2\n +\+ +replicas: 3\n[^]*1 changed/);
  });

  test('the rights and the policy let the composer work', async () => {
    composer = startComposer(account, built.bundle, ['--namespace', NAMESPACE, '--name', 'composer']);
    applyObjects(cluster, [{ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name: 'one', namespace: 'shop' }, spec: { accounts: ['data', 'logs'], notes: 'hello' } }]);
    await until('Synced', async () => conditionOf(await claimOf(cluster, 'one'), 'Synced') === 'True Applied');
    applyObjects(cluster, [{ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name: 'one', namespace: 'shop' }, spec: { accounts: ['data'], tier: 'Cool' } }]);
    await until('pruned', async () => (await cluster.api.list(CONFIG_MAPS, ACCOUNTS))
      .filter(({ metadata }) => metadata.labels?.['applyset.kubernetes.io/part-of']).map(({ metadata }) => metadata.name).join() === 'one-data');
    // Without its marks, an object is nobody's to the composer; with one of them it gets the other back.
    kubectl(cluster, 'label', 'storageaccount', 'one-data', '-n', 'shop', 'applyset.kubernetes.io/part-of-');
    await until('the label is back', async () => (
      (await cluster.api.send('GET', `${ACCOUNTS}/one-data`)).metadata.labels?.['applyset.kubernetes.io/part-of'] !== undefined));
    kubectl(cluster, 'delete', 'store', 'one', '-n', 'shop', '--timeout=100s');
    expect(kubectl(cluster, 'get', 'resourcegroups,storageaccounts', '-n', 'shop', '-o', 'name').trim()).toBe('');
    expect(composer.log()).not.toMatch(/forbidden/i);
    expect(await composer.stop()).toBe(0);
  });

  test('api diff: the same definition changes nothing, another one says what it changes', async () => {
    composer = startComposer(account, built.bundle, ['--namespace', NAMESPACE, '--name', 'composer']);
    applyObjects(cluster, [
      { apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name: 'compared', namespace: 'shop' }, spec: { accounts: ['data'], notes: 'hello' } },
    ]);
    await until('Synced', async () => conditionOf(await claimOf(cluster, 'compared'), 'Synced') === 'True Applied');
    const same = api(cluster, 'diff', built.bundle, '--exit-code');
    expect([same.status, same.stdout]).toEqual([0, '1 claim: 0 changed, 1 as they are; 0 objects created, 0 changed, 0 deleted\n']);
    const other = buildStore((code) => code.replace('Standard_LRS', 'Standard_ZRS').replace('-notes', '-texts'));
    const changed = api(cluster, 'diff', other.bundle, 'compared', '-n', 'shop', '--exit-code');
    expect([changed.status, changed.stdout]).toEqual([1, expect.stringMatching(/Store shop\/compared: 1 created, 1 changed, 1 deleted\n/)]);
    expect(changed.stdout).toMatch(/changed StorageAccount shop\/compared-data\n[^]*- +name: Standard_LRS\n +\+ +name: Standard_ZRS\n/);
    expect(changed.stdout).toMatch(/created ConfigMap shop\/compared-texts\n[^]*deleted ConfigMap shop\/compared-notes\n/);
    // A user with the rights of the team compares here what it may not patch.
    kubectl(cluster, 'create', 'serviceaccount', 'viewer', '-n', 'shop');
    const reads = '--resource=stores.platform.example.com,resourcegroups.resources.azure.com,storageaccounts.storage.azure.com,configmaps,customresourcedefinitions';
    kubectl(cluster, 'create', 'clusterrole', 'viewer', '--verb=get,list', reads);
    kubectl(cluster, 'create', 'clusterrolebinding', 'viewer', '--clusterrole=viewer', '--serviceaccount=shop:viewer');
    const viewer = kubeconfigWith('viewer', kubectl(cluster, 'create', 'token', 'viewer', '-n', 'shop').trim());
    const here = api(viewer, 'diff', other.bundle);
    expect([here.status, here.stdout]).toEqual([0, expect.stringMatching(/changed StorageAccount shop\/compared-data \(compared here\)\n[^]*\+ +name: Standard_ZRS\n/)]);
    kubectl(cluster, 'delete', 'store', 'compared', '-n', 'shop', '--timeout=60s');
    await composer.stop();
    other.end();
  });

  test('the policy refuses what the rights alone would allow', () => {
    applyObjects(cluster, [configMap('shop', 'of-a-team'), configMap('shop', 'composed', MARK)]);
    const team = configMap('shop', 'of-a-team');
    expect(asComposer(configMap('shop', 'new'), 'create')).toContain('writes only objects with the label applyset.kubernetes.io/part-of of a claim');
    expect(asComposer(configMap('shop', 'of-a-team', MARK), 'apply', '--server-side')).toContain('changes and deletes only objects that were composed for a claim');
    expect(asComposer(team, 'delete')).toContain('changes and deletes only objects that were composed for a claim');
    for (const namespace of [NAMESPACE, 'kube-system']) {
      expect(asComposer(configMap(namespace, 'new', MARK), 'create')).toContain('writes nothing into its own namespace');
    }
    expect(asComposer(configMap('shop', 'new', MARK), 'create')).toBe('');
    expect(asComposer(configMap('shop', 'composed', MARK), 'delete')).toBe('');
    // Other users are not concerned, and other kinds are beyond its rights.
    kubectl(cluster, 'delete', 'configmap', 'of-a-team', '-n', 'shop');
    for (const [verb, resource] of [['get', 'secrets'], ['create', 'pods'], ['create', 'clusterroles'], ['patch', 'crd'], ['get', 'nodes']]) {
      const { stdout } = spawnSync('kubectl', ['--kubeconfig', cluster.kubeconfig, 'auth', 'can-i', verb!, resource!, '-n', 'shop', '--as', ACCOUNT], { encoding: 'utf8' });
      expect([verb, resource, stdout.trim()]).toEqual([verb, resource, 'no']);
    }
  });

  test('the rights that a user lacks are named before anything is applied', () => {
    kubectl(cluster, 'create', 'serviceaccount', 'jane', '-n', 'shop');
    kubectl(cluster, 'create', 'rolebinding', 'jane', '--clusterrole=admin', '--serviceaccount=shop:jane', '-n', 'shop');
    const jane = kubeconfigWith('jane', kubectl(cluster, 'create', 'token', 'jane', '-n', 'shop').trim());
    const { status, stderr } = api(jane, 'install', built.bundle, '--apply', '-n', 'shop', '--no-create-namespace');
    expect([status, stderr.split('\n').filter((line) => line.startsWith('error: '))]).toEqual([1, expect.arrayContaining([
      expect.stringMatching(/^error: this user may not create, get(, list)? or patch .*\bcustomresourcedefinitions\.apiextensions\.k8s\.io/),
      expect.stringMatching(/^error: this user may not create, get or patch .*\bclusterroles\.rbac\.authorization\.k8s\.io/),
    ])]);
    // This user may write roles, but none that gives more than the user has.
    kubectl(cluster, 'create', 'clusterrole', 'installer', '--verb=get,list,create,patch', '--resource=customresourcedefinitions,clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings,validatingwebhookconfigurations');
    kubectl(cluster, 'create', 'clusterrolebinding', 'installer', '--clusterrole=installer', '--serviceaccount=shop:jane');
    const refused = api(jane, 'install', built.bundle, '--apply', '-n', 'shop', '--name', 'janes', '--no-create-namespace');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('belongs to the composer cdk8s-aso-composer/composer')]);
    kubectl(cluster, 'annotate', 'crd', 'stores.platform.example.com', 'aso.cdk8s.io/definition-');
    const escalation = api(jane, 'install', built.bundle, '--apply', '-n', 'shop', '--name', 'janes', '--no-create-namespace');
    expect([escalation.status, escalation.stderr]).toEqual([1, expect.stringMatching(/ClusterRole janes\.shop: .*attempting to grant RBAC permissions not currently held/)]);
    expect(kubectl(cluster, 'get', 'deployments', '-n', 'shop', '-o', 'name')).toBe('');
    kubectl(cluster, 'annotate', 'crd', 'stores.platform.example.com', 'aso.cdk8s.io/definition=cdk8s-aso-composer/composer');
  });

  test('api run has the rights of its user, and ends at Ctrl-C', async () => {
    const jane = kubeconfigWith('jane', kubectl(cluster, 'create', 'token', 'jane', '-n', 'shop').trim());
    const refused = api(jane, 'run', built.bundle, '-n', 'shop');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(
      /error: this user may not create, delete, get, list, patch or watch .*\bresourcegroups\.resources\.azure\.com\b.*in all namespaces, which/,
    )]);
    const run = startProgram(CLI, ['api', 'run', built.bundle, '-n', NAMESPACE, '--name', 'composer', '--kubeconfig', cluster.kubeconfig]);
    await until('it leads', () => run.log().includes('note: leads'));
    applyObjects(cluster, [{ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name: 'desk', namespace: 'shop' }, spec: { notes: 'x' } }]);
    await until('the claim is reported', () => /synced +Store shop\/desk +2 objects applied/.test(run.log()));
    kubectl(cluster, 'delete', 'store', 'desk', '-n', 'shop', '--timeout=60s');
    expect([await run.stop('SIGINT'), run.log()]).toEqual([0, expect.stringContaining('deleted    Store shop/desk')]);
  });

  test('what is printed is what kubectl applies', () => {
    const printed = execFileSync(process.execPath, [CLI, 'api', 'install', built.bundle], { encoding: 'utf8' });
    const said = execFileSync('kubectl', ['--kubeconfig', cluster.kubeconfig, 'apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', '-'], { input: printed, encoding: 'utf8' });
    expect(said.trim().split('\n')).toHaveLength(14);
  });

  test('uninstalled with the claims', async () => {
    applyObjects(cluster, [{ apiVersion: 'platform.example.com/v1', kind: 'Store', metadata: { name: 'two', namespace: 'shop' }, spec: { notes: 'x' } }]);
    composer = startComposer(account, built.bundle, ['--namespace', NAMESPACE, '--name', 'composer']);
    await until('Synced', async () => conditionOf(await claimOf(cluster, 'two'), 'Synced') === 'True Applied');
    await composer.kill();
    const { status, stdout, stderr } = api(cluster, 'uninstall', '--with-claims', '--yes');
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'deleted CustomResourceDefinition stores.platform.example.com, with its claims']);
    expect(stderr).toContain('objects that were composed for the claims stay');
    expect(kubectl(cluster, 'get', 'configmap,resourcegroup', '-n', 'shop', '-o', 'name', '-l', 'applyset.kubernetes.io/part-of').trim().split('\n')).toHaveLength(3);
    expect(kubectl(cluster, 'get', 'all,configmaps,leases,roles,rolebindings,pdb,networkpolicies', '-n', NAMESPACE, '-l', 'app.kubernetes.io/component=composer', '-o', 'name').trim()).toBe('');
    expect(kubectl(cluster, 'get', 'leases', '-n', NAMESPACE, '-o', 'name').trim()).toBe('');
  });
});
