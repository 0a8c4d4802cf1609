import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kubectl, hasKubectl, type TestCluster } from './cluster';
import { startComposer } from './composer';
import { startReal, type RealCluster } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const CLI = join(__dirname, '..', '..', 'lib', 'cli', 'main.js');
const EXAMPLE = join(__dirname, '..', '..', 'examples', 'company-platform');
const NAMESPACE = 'cdk8s-aso-composer';
const TEAM = join(EXAMPLE, 'teams', 'checkout.yaml');
const SERVICE = join(EXAMPLE, 'services', 'checkout-basket.yaml');
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-company-'));

(realKubernetes && hasKubectl ? describe : describe.skip)('the company\'s rights on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let composer: ReturnType<typeof startComposer> | undefined;
  /** The kubeconfig of the composer's service account. */
  let account: TestCluster;
  const { spec: { members } } = parse(readFileSync(TEAM, 'utf8')) as { spec: { members: string } };
  const AS_MEMBER = ['--as', 'jane@aurland.example.com', '--as-group', members, '--as-group', 'system:authenticated'];

  const run = (as: TestCluster, input: string | undefined, ...args: string[]) => spawnSync('kubectl', ['--kubeconfig', as.kubeconfig, ...args], { input, encoding: 'utf8' });
  const may = (verb: string, resource: string, ...more: string[]) => run(cluster, undefined, 'auth', 'can-i', verb, resource, '-n', 'checkout', ...more, ...AS_MEMBER).stdout.trim();
  const synced = (...of: string[]) => kubectl(cluster, 'get', ...of, '-o', 'jsonpath={.status.conditions[?(@.type=="Synced")]}');

  beforeAll(async () => {
    const facts = JSON.parse(execFileSync(process.execPath, [CLI, 'api', 'build', join(EXAMPLE, 'platform.ts'), '--out', directory, '-o', 'json'], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    })) as { kinds: { composes: { group: string; kind: string }[] }[] };
    const composed = facts.kinds.flatMap(({ composes }) => composes);
    const kinds = Catalog.default().allKinds.filter(({ group, kind }) => composed.some((one) => one.group === group && one.kind === kind));
    cluster = await startReal({ kinds });
    for (const name of ['aurland-platform', 'ingress']) kubectl(cluster, 'create', 'namespace', name);
    kubectl(cluster, 'apply', '-f', join(EXAMPLE, 'rights.yaml'));
    execFileSync(process.execPath, [CLI, 'api', 'install', join(directory, 'bundle.js'), '--apply', '--kubeconfig', cluster.kubeconfig], { stdio: ['ignore', 'ignore', 'pipe'] });
    const config = JSON.parse(kubectl(cluster, 'config', 'view', '--raw', '-o', 'json')) as { users: { user: object }[] };
    config.users[0]!.user = { token: kubectl(cluster, 'create', 'token', 'composer', '-n', NAMESPACE).trim() };
    account = { ...cluster, kubeconfig: `${cluster.kubeconfig}-composer` };
    writeFileSync(account.kubeconfig, JSON.stringify(config), { mode: 0o600 });
    composer = startComposer(account, join(directory, 'bundle.js'), ['--namespace', NAMESPACE]);
  });
  afterAll(async () => {
    await composer?.kill();
    await cluster?.close();
  });

  test('the composer makes a team with the printed rights, and binds the role of its members', async () => {
    kubectl(cluster, 'apply', '-f', TEAM);
    await until('the team is made', () => synced('team', 'checkout').includes('"status":"True"')).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${synced('team', 'checkout')}\n${composer!.log()}`);
    });
    const { roleRef } = JSON.parse(kubectl(cluster, 'get', 'rolebinding', 'team-members', '-n', 'checkout', '-o', 'json')) as { roleRef: { name: string } };
    expect(roleRef.name).toBe('aurland-team');
    expect(composer!.log()).not.toMatch(/forbidden/i);
  });

  test('a member applies a service, and it is made', async () => {
    const applied = run(cluster, undefined, 'apply', '-f', SERVICE, ...AS_MEMBER);
    expect([applied.status, applied.stderr]).toEqual([0, '']);
    const name = ['services.platform.aurland.example.com', 'basket', '-n', 'checkout'];
    await until('the service is made', () => synced(...name).includes('"status":"True"')).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${synced(...name)}\n${composer!.log()}`);
    });
    expect(composer!.log()).not.toMatch(/forbidden/i);
  });

  test.each([
    ['create', 'services.platform.aurland.example.com', 'yes'], ['list', 'teams.platform.aurland.example.com', 'yes'], ['create', 'deployments.apps', 'yes'],
    ['get', 'pods', 'yes'], ['get', 'resourcequotas', 'yes'], ['get', 'namespacesqueues.servicebus.azure.com', 'yes'],
    ['get', 'secrets', 'no'], ['update', 'services.platform.aurland.example.com/status', 'no'], ['create', 'teams.platform.aurland.example.com', 'no'],
    ['create', 'rolebindings.rbac.authorization.k8s.io', 'no'], ['patch', 'resourcequotas', 'no'], ['create', 'storageaccounts.storage.azure.com', 'no'],
  ])('a member and %s of %s: %s', (verb, resource, answer) => {
    const [plural, subresource] = resource.split('/');
    expect(may(verb, plural!, ...(subresource === undefined ? [] : [`--subresource=${subresource}`]))).toBe(answer);
  });

  test('the composer can bind no other role', () => {
    const binding = (role: string) => JSON.stringify({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: `of-${role}`, namespace: 'checkout', labels: { 'applyset.kubernetes.io/part-of': 'applyset-x-v1' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: members }],
    });
    expect(run(account, binding('cluster-admin'), 'create', '-f', '-').stderr).toContain('attempting to grant RBAC permissions not currently held');
    expect(run(account, binding('aurland-team'), 'create', '-f', '-').stderr).toBe('');
  });
});
