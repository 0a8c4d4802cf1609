import { isDeepStrictEqual } from 'node:util';
import { hasKubectl } from './cluster';
import { ClusterUser, type ListedObject, type NamedObject } from './cluster-user';
import type { StoredClaim } from './composer';
import { CLAIM_ATTACKS } from './platform-kinds/claim-attacks';
import { ENVIRONMENT, PLATFORM_CLIENT_ID, SERVICES, TEAMS } from './platform-kinds/claims';
import { GROUP } from './platform-kinds/definition';
import { FORBIDDEN_SERVICES } from './platform-kinds/forbidden-services';
import { done, startPlatform, untilReady, type PlatformCluster } from './platform-kinds/platform-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes';
import { messageOf } from '../../src/platform/policy/limit';
import { ALLOWED } from '../platform/allowed-objects';
import { ATTACKS } from '../platform/attacks';
import { FORBIDDEN } from '../platform/forbidden-objects';
import { FIN, POLICY, TEAM_GROUP } from '../platform/guarded-team';
import { account, azure } from '../platform/objects-of-team';
import { Attacker, attemptsIn } from '../platform/offboarding/attacker';
import { atNight } from '../setup/at-night';
import { until } from '../setup/until';

const PART_OF = 'applyset.kubernetes.io/part-of';
const COMPOSED_FOR = 'aso.cdk8s.io/composed-for';

/** The messages of a limit by the construct, which knows nothing of claims: some limits have several. */
function messagesOf(id: string): string[] {
  return [...new Set(POLICY._limits(FIN).filter((limit) => limit.id === id).map((limit) => messageOf(limit, POLICY._for(FIN).origin)))];
}

/** One of each limit by day: the same policy, made by the construct, refuses all of them then (`test/platform/policy-real.test.ts`). */
const REFUSED = atNight(FORBIDDEN, FORBIDDEN.filter(({ limit }, index) => FORBIDDEN.findIndex((row) => row.limit === limit) === index));

/** Every right in a namespace, for mallory. */
const everything = (namespace: string): NamedObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'everything', namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
} as NamedObject);

(hasKubectl ? describeWithRealKubernetes : describe.skip)('the kinds of a platform on a real kube-apiserver', () => {
  let platform: PlatformCluster;
  /** A member of team `fin`, with the rights that its claim gives. */
  let alice: ClusterUser;
  /** A user with every right in the namespace of `fin`: only admission is in the way. */
  let mallory: ClusterUser;
  /** The objects of another team, and of its service, with their generations. */
  let before: readonly unknown[];

  const claimOf = async (claim: NamedObject) => JSON.parse((await platform.administrator.get(claim)).said) as StoredClaim;
  const objectsOf = async (claim: NamedObject) => ((await claimOf(claim)).status?.objects ?? []) as readonly ListedObject[];
  const objectsOfOthers = async () => [
    ...(await objectsOf(TEAMS.find(({ metadata: { name } }) => name === 'hr')!)),
    ...(await objectsOf(SERVICES.find(({ metadata: { namespace } }) => namespace === 'hr')!)),
  ];

  beforeAll(async () => {
    platform = await startPlatform();
    const { cluster, engineer, administrator } = platform;
    alice = await ClusterUser.of(cluster, 'alice', TEAM_GROUP);
    mallory = await ClusterUser.of(cluster, 'mallory');
    for (const claim of [ENVIRONMENT, ...TEAMS]) await done(engineer.apply(claim));
    await untilReady(cluster, 'teams', TEAMS.map(({ metadata: { name } }) => name));
    await done(administrator.apply(everything('fin')));
    await until('the policies hold', async () => {
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: 'fin' } };
      const answers = await Promise.all([mallory.patch(quota, {}), mallory.apply(account({ location: 'mars' }, { name: 'probe' }), { dryRun: true })]);
      return answers.every(({ said }) => said.includes('[self-service-'));
    });
  });
  afterAll(() => platform?.close());

  test('services that users of their teams apply are Ready', async () => {
    const { cluster } = platform;
    const users: Readonly<Record<string, ClusterUser>> = {
      fin: alice,
      hr: await ClusterUser.of(cluster, 'harriet', 'entra-hr'),
      ops: await ClusterUser.of(cluster, 'olga', 'entra-ops'),
    };
    for (const claim of SERVICES) await done(users[claim.metadata.namespace!]!.apply(claim));
    await untilReady(cluster, 'services', SERVICES.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`));
    before = await objectsOfOthers();
  });

  describe('forbidden objects', () => {
    test.each(REFUSED.map((row) => [row.limit, row.why, row] as const))('%s: %s', async (_, __, { limit, object }) => {
      const { passed, said } = await mallory.apply(object);
      expect([passed, messagesOf(limit).filter((message) => said.includes(message))]).toEqual([false, [expect.any(String)]]);
      expect(said).toContain("ValidatingAdmissionPolicy 'self-service-fin'");
      const answer = await alice.apply(object);
      expect([answer.passed, answer.said.includes(`[${limit}]`) || /User "alice" cannot patch resource/.test(answer.said)]).toEqual([false, true]);
    });
  });

  describe('allowed objects', () => {
    test.each(ALLOWED.map(({ what, object }) => [what, object] as const))('%s', async (_, object) => {
      await done(mallory.apply(object, { dryRun: true }));
      const { passed, said } = await alice.apply(object, { dryRun: true });
      // The role of a team has the kinds of Azure.
      if (!passed) expect([object.apiVersion.includes('.azure.com/'), said]).toEqual([false, expect.stringContaining('User "alice" cannot patch resource')]);
    });
  });

  describe('attacks', () => {
    beforeAll(() => done(alice.apply(account({}, { name: 'there' }))));
    test.each(ATTACKS.map((attack) => [attack.what, attack] as const))('%s', async (_, { kubectl, input, refusedBy }) => {
      const { passed, said } = await mallory.kubectl(kubectl, input);
      expect([passed, said]).toEqual([false, expect.stringContaining(`[self-service-${refusedBy}]`)]);
      const answer = await alice.kubectl(kubectl, input);
      expect([answer.passed, answer.said]).toEqual([false, expect.stringMatching(/\[self-service-|User "alice" cannot/)]);
    });
  });

  describe('claims', () => {
    test.each(CLAIM_ATTACKS.map((attack) => [attack.what, attack] as const))('%s', async (_, { attempt, refusedBy }) => {
      const { passed, said } = await attempt(mallory);
      expect([passed, said]).toEqual([false, typeof refusedBy === 'string' ? expect.stringContaining(refusedBy) : expect.stringMatching(refusedBy)]);
      const answer = await attempt(alice);
      expect([answer.passed, answer.said]).toEqual([false, expect.stringMatching(/\[self-service-|User "alice" cannot/)]);
    });
  });

  describe('what is composed', () => {
    const [orders] = SERVICES;
    const isOf = (namespace: string) => (one: ListedObject) => one.namespace === namespace;

    test('for the team: no user of the team changes or deletes it', async () => {
      const objects = await objectsOf(TEAMS[0]!);
      expect(objects.filter(isOf('fin')).length).toBeGreaterThan(8);
      for (const one of objects) {
        const object = await mallory.named(one);
        for (const user of [mallory, alice]) {
          const tried = [
            await user.patch(object, { metadata: { labels: { mine: 'yes' } } }),
            await user.patch(object, { metadata: { labels: { [PART_OF]: null }, annotations: { [COMPOSED_FOR]: null } } }),
            await user.delete(object),
          ];
          const refused = { passed: false, said: expect.stringMatching(/\[self-service-|cannot (patch|delete)/) };
          expect([user.name, one.kind, one.name, ...tried]).toEqual([user.name, one.kind, one.name, refused, refused, refused]);
        }
      }
      expect(await objectsOf(TEAMS[0]!)).toEqual(objects);
    });

    test('for a service, in its namespace: what the team changes or deletes comes back', async () => {
      // In the version in which it is composed: nothing converts between versions here.
      const queue = azure('servicebus', 'NamespacesQueue', {}, { name: 'archive' });
      const live = async () => {
        const { passed, said } = await alice.get(queue);
        return passed ? JSON.parse(said) as typeof queue & { spec: { maxDeliveryCount: number }; metadata: KubernetesObject['metadata'] } : undefined;
      };
      const { spec, metadata } = (await live())!;
      const isWhole = async () => {
        const now = await live();
        return now?.spec.maxDeliveryCount === spec.maxDeliveryCount && now.metadata.labels?.[PART_OF] === metadata.labels?.[PART_OF];
      };
      await done(alice.patch(queue, { spec: { maxDeliveryCount: 99 }, metadata: { labels: { [PART_OF]: null } } }));
      await until('the field and the label are back', isWhole);
      await done(alice.delete(queue));
      await until('the queue is back', async () => (await isWhole()) && (await live())?.metadata.uid !== metadata.uid);
      await until('the claim knows it', async () => (await objectsOf(orders!)).every(({ uid }) => uid !== undefined && uid !== metadata.uid));
      await untilReady(platform.cluster, 'services', ['fin/orders']);
    });

    test('the claim as an ApplySet: what the team writes there is put right, and moves nothing', async () => {
      const whole = await claimOf(orders!);
      const wrong = { 'applyset.kubernetes.io/contains-group-kinds': 'Secret', 'applyset.kubernetes.io/tooling': null };
      await done(alice.patch(orders!, { metadata: { labels: { 'applyset.kubernetes.io/id': null }, annotations: wrong } }));
      const marks = ({ metadata: { labels, annotations, finalizers } }: StoredClaim) => ({ labels, annotations, finalizers });
      await until('the marks are back', async () => isDeepStrictEqual(marks(await claimOf(orders!)), marks(whole)));
      expect((await objectsOf(orders!)).map(({ uid }) => uid)).toEqual(whole.status?.objects?.map(({ uid }) => uid));
      const args = ['apply', '--prune', `--applyset=services.${GROUP}/orders`, '-n', 'fin', '-f', '-'];
      const pruned = await alice.kubectl(args, { apiVersion: 'v1', kind: 'List', items: [] });
      expect([pruned.passed, pruned.said]).toEqual([false, expect.stringContaining('not permitted as an ApplySet parent')]);
    });

    test('goes with the claim that the team deletes, also from the namespace of the platform', async () => {
      const objects = await objectsOf(orders!);
      expect(objects.filter(isOf('platform')).length).toBeGreaterThan(2);
      await done(alice.delete(orders!));
      await until('the claim is gone', async () => (await alice.get(orders!)).said.includes('not found'));
      for (const one of objects) expect((await platform.administrator.get(await mallory.named(one))).said).toContain('not found');
    });
  });

  describe('services that reach beyond their team', () => {
    beforeAll(async () => {
      for (const { claim } of FORBIDDEN_SERVICES) await done(alice.apply(claim));
    });
    test.each(FORBIDDEN_SERVICES.map((row) => [row.what, row] as const))('%s', async (_, { claim, says }) => {
      let status: StoredClaim['status'];
      await until('it has a condition', async () => {
        ({ status } = JSON.parse((await alice.get(claim)).said) as StoredClaim);
        return status?.conditions !== undefined;
      });
      const synced = status?.conditions?.find(({ type }) => type === 'Synced');
      expect([synced?.status, synced?.message]).toEqual(['False', expect.stringContaining(says)]);
      expect(status?.objects ?? []).toEqual([]);
    });
  });

  test('a team that is deleted goes with the objects of its members, although both programs are killed, and nothing passes', async () => {
    const { administrator, engineer, cluster } = platform;
    const [ops, alerts] = [TEAMS, SERVICES].map((claims) => claims.at(-1)!);
    const { name: namespace } = ops!.metadata;
    const objects = await objectsOf(ops!);
    const group = await administrator.named(objects.find(({ kind }) => kind === 'ResourceGroup')!);
    const { status: { id: armId } } = JSON.parse((await administrator.get(group)).said) as { status: { id: string } };
    await done(administrator.apply(everything(namespace)));
    const mine = account({ owner: { armId }, azureName: 'stopsmine' }, { name: 'mine', namespace });
    await until('a member makes an object', async () => (await mallory.apply(mine)).passed);
    const attacker = await Attacker.of(cluster, 'mallory', attemptsIn(namespace, {
      clientId: PLATFORM_CLIENT_ID, account: `/apis/${mine.apiVersion}/namespaces/${namespace}/storageaccounts/mine`,
    }));
    const inAzure = async () => (await cluster.azure('/__resources') as { value: { id: string }[] }).value.map(({ id }) => id.toLowerCase());
    await until('it is in Azure', async () => (await inAzure()).some((id) => id.endsWith('/stopsmine')));
    await until('the policies refuse all', () => attacker.isRefused());
    await done(administrator.delete(alerts!));
    await until('the service is gone', async () => !(await administrator.get(alerts!)).passed);
    await done(engineer.delete(ops!));
    const left = async () => (await Promise.all(objects.map(async (one) => administrator.get(await administrator.named(one)))))
      .filter(({ passed }) => passed);
    await attacker.try(2_000, async () => (await left()).length < objects.length);
    await platform.restart();
    await attacker.try(2_000, async () => !(await administrator.get(ops!)).passed);
    attacker.close();
    expect([attacker.passed, await left()]).toEqual([[], []]);
    // The group itself stays, by the environment's `groupRemoval`.
    expect((await inAzure()).filter((id) => id.startsWith(armId.toLowerCase()))).toEqual([armId.toLowerCase()]);
    expect((await administrator.get(mine)).passed).toBe(false);
  });

  test('nothing of another team has moved', async () => {
    expect(before.length).toBeGreaterThan(20);
    expect(await objectsOfOthers()).toEqual(before);
  });
});
