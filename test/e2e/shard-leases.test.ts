import { startReal, type RealCluster } from './real-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import { RestClient } from '../../engine/kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { systemElectionTime } from '../../runtime/leader';
import { assignmentOf, Fence, FencedOwnership, shardIdentity, ShardMember } from '../../runtime/shards';
import { BEAT_MS, ControlProcess } from '../setup/control-process';
import { until } from '../setup/until';

const NAMESPACE = 'shards';
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const KEYS = ['', ...Array.from({ length: 200 }, (_, index) => `team-${index}`)];

interface Replica {
  readonly identity: string;
  readonly member: ShardMember;
  readonly lost: readonly string[];
  owned(): string[];
  kill(): void;
}

describeWithRealKubernetes('shards on a real kube-apiserver', () => {
  let cluster: RealCluster;
  const replicas: Replica[] = [];
  beforeAll(async () => {
    cluster = await startReal();
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await cluster.connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
  });
  afterAll(async () => {
    for (const { kill } of replicas) kill();
    await cluster?.close();
  });

  function startReplica(pod: string): Replica {
    const killed = new AbortController();
    const never = new Promise<never>(() => undefined);
    // A process that was killed neither sends anything nor wakes.
    const client = new Proxy(new RestClient(cluster.connection), {
      get: (target, name) => (killed.signal.aborted ? () => never : Reflect.get(target, name).bind(target)),
    });
    const time = {
      ...systemElectionTime,
      sleep: async (milliseconds: number, signal?: AbortSignal) => {
        await systemElectionTime.sleep(milliseconds, signal);
        if (killed.signal.aborted) await never;
      },
    };
    const identity = shardIdentity(pod, Math.random().toString(36).slice(2, 10));
    const fence = new Fence(time);
    const ownership = new FencedOwnership(fence);
    const lost: string[] = [];
    const member = new ShardMember({
      client,
      namespace: NAMESPACE,
      identity,
      shards: 'auto',
      version: '1.0.0',
      time,
      fence,
      prepare: async (next) => void assignmentOf(next, identity).watches('team-0'),
      onSnapshot: async (snapshot) => ownership.take(snapshot),
      ownsCluster: () => ownership.owns(''),
    });
    member.lost.addEventListener('abort', () => lost.push(String(member.lost.reason)));
    void member.join(new AbortController().signal);
    const replica: Replica = {
      identity,
      member,
      lost,
      owned: () => (killed.signal.aborted ? [] : KEYS.filter((key) => ownership.owns(key))),
      kill: () => killed.abort(new Error('killed')),
    };
    replicas.push(replica);
    return replica;
  }

  /** Each key has one owner of these. Fails at once where one has two. */
  const areShared = (among: readonly { owned(): string[] }[]) => () => {
    const owned = replicas.flatMap((replica) => replica.owned());
    expect(new Set(owned).size).toBe(owned.length);
    return owned.length === KEYS.length && among.every((replica) => replica.owned().length > 0);
  };
  const leases = async () => {
    const { text } = await cluster.connection.request({ method: 'GET', path: LEASES });
    return (JSON.parse(text) as { items: KubernetesObject[] }).items;
  };

  test('three share 201 keys; one is killed, one stops, and the last has all', async () => {
    const first = startReplica('aso-0');
    await until('the first owns all', areShared([first]));
    const [second, third] = [startReplica('aso-1'), startReplica('aso-2')];
    await until('three share them', areShared([first, second, third]));

    const killedAt = performance.now();
    const control = await ControlProcess.start();
    second.kill();
    // 25 and 8 s of an idle machine.
    expect(await control.during(() => until('two share them', areShared([first, third])))).toBeLessThan(25_000 / BEAT_MS);
    expect(performance.now() - killedAt).toBeGreaterThan(10_000);

    await first.member.release();
    expect(await control.during(() => until('the last owns all', areShared([third])))).toBeLessThan(8_000 / BEAT_MS);
    await control.close();
    const released = (await leases()).find(({ metadata }) => metadata.name === `cdk8s-aso-shard-${first.identity}`);
    expect(released?.spec?.holderIdentity ?? '').toBe('');

    await third.member.release();
    const group = (await leases()).find(({ metadata }) => metadata.name === 'controllers-leader-election-azinfra-generated');
    // The Lease of the replica that was killed has ended meanwhile.
    expect(group?.spec?.holderIdentity ?? '').toBe('');
    expect(replicas.flatMap(({ lost }) => lost)).toEqual([]);
  });
});
