import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { ALLOWED } from './allowed-objects';
import { deputyCrds } from './deputy-objects';
import { FORBIDDEN } from './forbidden-objects';
import { FIN, HR, PLATFORM_GROUP, POLICY, TEAM_GROUP } from './guarded-team';
import { account, azure, core, GROUP, queue, type TeamObject } from './objects-of-team';
import { Catalog } from '../../src/catalog/catalog';
import type { CustomResourceDefinition } from '../../src/catalog/crd';
import type { TeamInEnvironment } from '../../src/platform/model/team-in-environment';
import { messageOf } from '../../src/platform/policy/limit';
import { SelfServiceGuardRails } from '../../src/platform/policy/self-service-guard-rails';
import { SelfServicePolicy } from '../../src/platform/policy/self-service-policy';
import { hasKubectl, kubectl } from '../e2e/cluster';
import { ClusterUser, type Answer } from '../e2e/cluster-user';
import { installCrds } from '../e2e/install-crds';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes } from '../e2e/real-kubernetes';
import { until } from '../setup/until';

const OPERATOR = 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default';
/** A user with all rights in the team's namespace who does not belong to the platform: only admission restricts the user. */
const DEPLOYER = 'system:serviceaccount:fin:deployer';

const SHARED_NAMESPACE = azure('servicebus', 'Namespace', { location: 'uksouth', owner: GROUP });

/** As other teams have it: nothing is asked for. */
const STRICTER = SelfServicePolicy.ofComponents({ reconcilePolicies: [] });
const creatable = new Set(POLICY._for(FIN).entries.filter(({ creates }) => creates).map(({ type }) => type));
const typeOf = ({ apiVersion, kind }: TeamObject): string => `${apiVersion.split('/')[0]}/${kind}`;
const policyOf = (team: TeamInEnvironment) => (team === FIN ? POLICY : STRICTER);

/** The API server's messages for a limit: some limits have several. */
function text(id: string, team = FIN): string[] {
  const policy = policyOf(team);
  const messages = policy
    ._limits(team)
    .filter((limit) => limit.id === `self-service-${id}` || limit.id === id)
    .map((limit) => messageOf(limit, policy._for(team).origin));
  // Limits of several kinds may have one message.
  return [...new Set(messages)];
}

(hasKubectl ? describeWithRealKubernetes : describe.skip)('guard rails of a real kube-apiserver', () => {
  let cluster: RealCluster;
  let [deployer, alice, platform, operator] = [] as unknown as [ClusterUser, ClusterUser, ClusterUser, ClusterUser];

  beforeAll(async () => {
    const objects = [...FORBIDDEN, ...ALLOWED].map(({ object }) => object).filter(({ apiVersion }) => /\.(azure\.com|aso\.cdk8s\.io)\//.test(apiVersion));
    const kinds = new Map(objects.map((object) => [typeOf(object), Catalog.default().kind(object.apiVersion.split('/')[0]!, object.kind)!]));
    cluster = await startReal({ kinds: [...kinds.values()] });
    await installCrds(cluster.connection, deputyCrds() as CustomResourceDefinition[]);
    deployer = await ClusterUser.of(cluster, DEPLOYER);
    alice = await ClusterUser.of(cluster, 'alice', TEAM_GROUP);
    platform = await ClusterUser.of(cluster, 'pat', PLATFORM_GROUP);
    operator = await ClusterUser.of(cluster, OPERATOR);
    const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
    const admin = (user: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user });
    applied([
      ...['fin', 'hr', 'platform'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'everything' }, rules: [everything] },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'everything' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
        subjects: [admin(DEPLOYER), admin('pat'), admin(OPERATOR)],
      },
    ]);
    const app = new App();
    const chart = new Chart(app, 'guards');
    for (const team of [FIN, HR]) new SelfServiceGuardRails(chart, team.team.name, { team, policy: policyOf(team) });
    applied(chart.toJson() as TeamObject[]);
    // Policies take effect a moment after they are made.
    for (const namespace of ['fin', 'hr']) {
      const probes = [
        { ...core('ResourceQuota', 'probe'), metadata: { name: 'probe', namespace } },
        { ...SHARED_NAMESPACE, metadata: { name: 'probe', namespace } },
      ];
      for (const probe of probes) {
        await until(
          `the policy of ${namespace} holds for a ${probe.kind}`,
          async () => (await deployer.apply(probe, { dryRun: true })).said.includes('[self-service-'),
        );
      }
    }
  });

  afterAll(() => cluster?.close());

  function applied(objects: readonly object[]): void {
    const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-policy-'));
    const file = join(directory, 'objects.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    kubectl(cluster, 'apply', '--server-side', '-f', file);
    rmSync(directory, { recursive: true });
  }

  async function mayAlice(verb: string, resource: string, namespace: string): Promise<boolean> {
    return (await alice.kubectl(['auth', 'can-i', verb, ...resource.split(' '), '-n', namespace])).passed;
  }

  it.each(FORBIDDEN.map((row) => [row.limit, row.why, row] as const))('%s: %s', async (_, __, { limit, object }) => {
    const { passed, said } = await deployer.apply(object);
    expect(passed).toBe(false);
    expect(text(limit).filter((message) => said.includes(message))).toHaveLength(1);
    expect(said).toContain("ValidatingAdmissionPolicy 'self-service-fin'");
  });

  it.each(FORBIDDEN.map((row) => [row.limit, row.why, row] as const))('alice meets %s: %s', async (_, __, { limit, object }) => {
    const { passed, said } = await alice.apply(object);
    expect(passed).toBe(false);
    // Kinds outside of the team's role are rejected by RBAC, before admission.
    if (creatable.has(typeOf(object))) expect(text(limit).filter((message) => said.includes(message))).toHaveLength(1);
    else expect(said).toMatch(/User "alice" cannot patch resource/);
  });

  it.each(ALLOWED.map(({ what, object }) => [what, object] as const))('lets pass: %s', async (_, object) => {
    await expectPassed(deployer.apply(object, { dryRun: true }));
    if (creatable.has(typeOf(object))) await expectPassed(alice.apply(object, { dryRun: true }));
  });

  it('lets the platform and the operator pass', async () => {
    for (const { object } of FORBIDDEN) {
      await expectPassed(platform.apply(object, { dryRun: true }));
    }
    await expectPassed(operator.apply(core('Secret', 'aso-credential'), { dryRun: true }));
  });

  it('lets the team change an object with what the operator has written on it, but not that', async () => {
    const annotations = { 'serviceoperator.azure.com/resource-id': 'one', 'aso.cdk8s.io/last-put': 'then' };
    const named = (object: TeamObject, more: object = {}) => ({ ...object, metadata: { ...object.metadata, name: 'written', ...more } });
    await expectPassed(platform.apply(named(account(), { annotations })));
    await expectPassed(alice.kubectl(['annotate', 'storageaccounts', 'written', '-n', 'fin', 'example.com/seen=yes']));
    await expectRefused(
      alice.kubectl(['annotate', '--overwrite', 'storageaccounts', 'written', '-n', 'fin', 'serviceoperator.azure.com/resource-id=two']),
      'annotation',
    );
    await expectPassed(alice.kubectl(['delete', 'storageaccounts', 'written', '-n', 'fin']));
    // An exported ConfigMap is the team's, but for the principal in it.
    await expectPassed(operator.apply(core('ConfigMap', 'exported', { data: { principalId: 'p', clientId: 'c' } })));
    await expectPassed(deployer.kubectl(['label', 'configmaps', 'exported', '-n', 'fin', 'seen=yes']));
    await expectRefused(
      deployer.kubectl(['patch', 'configmaps', 'exported', '-n', 'fin', '--type=merge', '-p', '{"data":{"principalId":"q"}}']),
      'config-map-principal',
    );
  });

  it('keeps a policy that the platform has given, where none may be changed', async () => {
    const object = (annotations: Record<string, string>) =>
      account({ owner: { armId: HR.resourceGroupId } }, { name: 'kept', namespace: HR.namespace, annotations });
    const detached = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };
    await expectRefused(deployer.apply(object(detached)), 'reconcile-policy', HR);
    await expectPassed(platform.apply(object(detached)));
    await expectPassed(deployer.kubectl(['annotate', 'storageaccounts', 'kept', '-n', 'hr', 'example.com/seen=yes']));
    await expectRefused(
      deployer.kubectl(['annotate', 'storageaccounts', 'kept', '-n', 'hr', 'serviceoperator.azure.com/reconcile-policy-']),
      'reconcile-policy',
      HR,
    );
  });

  it("leaves the team's Namespace to the platform", async () => {
    await expectRefused(
      deployer.kubectl(['annotate', 'namespace', 'fin', 'aso.cdk8s.io/accepts-credentials-from=hr/identity']),
      'platform-object',
    );
    await expectPassed(platform.kubectl(['annotate', 'namespace', 'fin', 'example.com/seen=yes']));
  });

  it('holds a team to its own limits only', async () => {
    const elsewhere = (namespace: string) =>
      deployer.apply({ ...queue({ azureName: 'hr--people' }), metadata: { name: 'elsewhere', namespace } }, { dryRun: true });
    await expectPassed(elsewhere('hr'));
    await expectPassed(elsewhere('platform'));
    await expectRefused(elsewhere('fin'), 'name-prefix');
  });

  it('gives the team what its kinds need, in its namespace', async () => {
    const asked: readonly [expected: boolean, verb: string, resource: string, namespace: string][] = [
      [true, 'create', 'storageaccounts.storage.azure.com', 'fin'],
      [true, 'delete', 'namespacesqueues.servicebus.azure.com', 'fin'],
      [true, 'watch', 'namespaces.servicebus.azure.com', 'fin'],
      [true, 'list', 'configmaps', 'fin'],
      [false, 'create', 'namespaces.servicebus.azure.com', 'fin'],
      [false, 'delete', 'flexibleservers.dbforpostgresql.azure.com', 'fin'],
      [false, 'create', 'vaults.keyvault.azure.com', 'fin'],
      [false, 'update', 'storageaccounts.storage.azure.com --subresource=status', 'fin'],
      [false, 'deletecollection', 'storageaccounts.storage.azure.com', 'fin'],
      [false, 'get', 'secrets', 'fin'],
      [false, 'create', 'rolebindings.rbac.authorization.k8s.io', 'fin'],
      ...['hr', 'platform'].flatMap((namespace): [boolean, string, string, string][] => [
        [false, 'create', 'storageaccounts.storage.azure.com', namespace],
        [false, 'get', 'storageaccounts.storage.azure.com', namespace],
        [false, 'get', 'configmaps', namespace],
      ]),
    ];
    const answers = await Promise.all(asked.map(([, verb, resource, namespace]) => mayAlice(verb, resource, namespace)));
    expect(answers.map((allowed, index) => [allowed, ...asked[index]!.slice(1)])).toEqual(asked);
  });

  async function expectPassed(answer: Promise<Answer>): Promise<void> {
    const { passed, said } = await answer;
    if (!passed) throw new Error(said);
  }

  async function expectRefused(answer: Promise<Answer>, id: string, team = FIN): Promise<void> {
    const { passed, said } = await answer;
    expect(passed).toBe(false);
    expect(text(id, team).filter((message) => said.includes(message))).toHaveLength(1);
  }
});
