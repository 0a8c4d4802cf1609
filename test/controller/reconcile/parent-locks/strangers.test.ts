import { Budget } from '../../../../controller/budget';
import { ParentWriteLocks } from '../../../../controller/reconcile/parent-locks/parent-write-locks';
import type { ArmRequest, ArmResponse } from '../../../../engine/arm/types';
import { ALL_KINDS } from '../../../../engine/kinds/all-kinds';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { withAnnotations, withFinalizer } from '../../../../engine/objects/annotations';
import { withPoller } from '../../../../engine/objects/poller';
import { RESOURCE_ID } from '../../../../src/azure/annotations';
import type { ObjectId } from '../../../../src/object-id';
import { FakeAzure } from '../fake-azure';
import { FakeClock } from '../fake-clock';
import {
  FEDERATIONS,
  group,
  GROUP_ID,
  GROUPS,
  identity,
  IDENTITIES,
  IDENTITY_ID,
  NETWORKS,
  object,
  SUBNETS,
  TestEnvironment,
} from '../harness';

const NETWORK_ID = `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/net`;
const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const of = (one: KubernetesObject, namespace: string): KubernetesObject => ({ ...one, metadata: { ...one.metadata, namespace } });
const FORBIDDEN = { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'the client does not have authorization' } } };
const TOO_MANY = {
  status: 429,
  headers: { 'retry-after': '3600' },
  body: { error: { code: 'SubscriptionRequestsThrottled', message: 'no' } },
};

/** Milliseconds that an answer takes, in the time of the environment. */
const LATENCY_MS = 200;
const { subscriptionId: SUBSCRIPTION_ID, endpoint: ENDPOINT } = new FakeAzure();

type Answer = (request: ArmRequest) => Partial<ArmResponse> | 'hangs' | undefined;

/**
 * A network and an identity of the namespace `default`, with a credential of its own, and namespaces of strangers, whose credentials Azure
 * answers as given. An answer takes a while, and one that hangs takes three minutes, as the ARM client's time limit has it.
 */
async function environmentWith(strangers: number, stranger: Answer, before?: (budget: Budget) => void): Promise<TestEnvironment> {
  const environment = new TestEnvironment();
  const { clock, azure, cluster } = environment;
  const budget = new Budget({ clock });
  const client = (answer?: Answer) => ({
    subscriptionId: azure.subscriptionId,
    endpoint: azure.endpoint,
    send: async (request: ArmRequest): Promise<ArmResponse> => {
      const answered = answer?.(request);
      await clock.sleep(answered === 'hangs' ? 180_000 : LATENCY_MS);
      if (answered === 'hangs') throw new Error('no answer within 180 s');
      if (!answered) return azure.send(request);
      return { status: 200, headers: {}, text: JSON.stringify(answered.body), body: undefined, ...answered };
    },
  });
  const [own, foreign] = [client(), client(stranger)];
  await cluster.create(GROUPS, group());
  await cluster.create(IDENTITIES, identity());
  await cluster.create(NETWORKS, object(NETWORKS, 'net', {
    owner: { name: 'rg' }, location: 'westeurope', addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
  }));
  await environment.start({
    budget,
    credentials: () => ({
      resolve: ({ metadata: { namespace = '' } }) => ({
        source: `${namespace}/aso-credential`,
        tenantId: 't',
        clientId: namespace === 'default' ? 'own' : `stranger-${namespace}`,
        subscriptionId: azure.subscriptionId,
        client: namespace === 'default' ? own : foreign,
      }),
    }),
  });
  await until(environment, 60, () => environment.ready(NETWORKS, 'net')?.status === 'True' && environment.ready(IDENTITIES, 'id')?.status === 'True');
  before?.(budget);
  for (const name of names(strangers)) {
    await cluster.create(SUBNETS, of(subnet(name, { armId: NETWORK_ID }), `team-${Number(name.slice(1)) % 3}`));
    await cluster.create(FEDERATIONS, of(federation(name, { armId: IDENTITY_ID }), `team-${Number(name.slice(1)) % 3}`));
  }
  await clock.advance(5_000);
  return environment;
}

const subnet = (name: string, owner: Record<string, unknown>) => object(SUBNETS, name, { owner, addressPrefix: '10.0.0.0/24' });
const federation = (name: string, owner: Record<string, unknown>) =>
  object(FEDERATIONS, name, { owner, issuer: 'https://issuer', subject: name, audiences: ['a'] });

/** Seconds until it is so. */
async function until(environment: TestEnvironment, seconds: number, done: () => boolean): Promise<number> {
  for (let tenths = 0; tenths < seconds * 10; tenths += 1) {
    if (done()) return tenths / 10;
    await environment.clock.advance(100);
  }
  return Infinity;
}

/** Seconds until the victim's new subnet and its new federated credential are Ready. */
async function victimsTime(environment: TestEnvironment): Promise<number> {
  await environment.cluster.create(SUBNETS, subnet('victim', { name: 'net' }));
  await environment.cluster.create(FEDERATIONS, federation('victim', { name: 'id' }));
  const seconds = await until(environment, 2_000, () =>
    [SUBNETS, FEDERATIONS].every((type) => environment.ready(type, 'victim')?.status === 'True'));
  await environment.kill();
  return seconds;
}

describe.each([2, 20, 200])('%i objects of strangers below the parent of a victim', (count) => {
  test.each<[string, Answer, number]>([
    ['that Azure refuses', ({ method }) => (method === 'PUT' ? FORBIDDEN : undefined), 1],
    ['whose reads are refused as well', () => FORBIDDEN, 1],
    ['that are throttled', ({ method }) => (method === 'PUT' ? TOO_MANY : undefined), 1],
    ['that get no answer', ({ method }) => (method === 'PUT' ? 'hangs' : undefined), 1],
  ])('%s keep it waiting for no longer than its own writes take', async (_, answer, seconds) => {
    const alone = await victimsTime(await environmentWith(0, () => undefined));
    expect(await victimsTime(await environmentWith(count, answer))).toBeLessThanOrEqual(alone + seconds);
  });
});

test('strangers whose annotations speak of operations keep a victim waiting no longer', async () => {
  const alone = await victimsTime(await environmentWith(0, () => undefined));
  const environment = await environmentWith(0, ({ url }) => (url.includes('/operations/') ? { body: { status: 'InProgress' } } : FORBIDDEN));
  for (const name of names(20)) {
    for (const [type, one, parent] of [
      [SUBNETS, subnet(name, { armId: NETWORK_ID }), `${NETWORK_ID}/subnets`],
      [FEDERATIONS, federation(name, { armId: IDENTITY_ID }), `${IDENTITY_ID}/federatedIdentityCredentials`],
    ] as const) {
      const originalUrl = `${parent}/${name}?api-version=2023-01-31`;
      const marked = withAnnotations(withFinalizer(of(one, 'team-0')), { [RESOURCE_ID]: `${parent}/${name}` });
      const pollUrl = `${ENDPOINT}/operations/of-another-resource`;
      const state = { style: 'azure-asyncoperation', method: 'PUT', originalUrl, pollUrl, state: 'InProgress' } as const;
      await environment.cluster.create(type, withPoller(marked, 'create', state, ENDPOINT));
    }
  }
  await environment.clock.advance(5_000);
  expect(await victimsTime(environment)).toBeLessThanOrEqual(alone);
});

test('strangers whose requests wait for their turn keep a victim waiting no longer', async () => {
  const alone = await victimsTime(await environmentWith(0, () => undefined));
  const environment = await environmentWith(6, () => undefined, (budget) => {
    // More than Azure takes in a minute.
    for (const namespace of ['team-0', 'team-1', 'team-2']) {
      const client = budget.clientFor({
        client: { subscriptionId: SUBSCRIPTION_ID, endpoint: ENDPOINT, send: async () => ({ status: 200, headers: {}, body: {}, text: '' }) },
        tenantId: 't',
        clientId: `stranger-${namespace}`,
        source: 'a/b',
      }, { namespace, priority: 'fresh', rank: 100 });
      for (let i = 0; i < 1_000; i += 1) void client.send({ method: 'PUT', url: `/subscriptions/${SUBSCRIPTION_ID}/resourceGroups/g${i}` });
    }
  });
  expect(environment.azure.count('PUT', '/subnets/s0')).toBe(0);
  expect(await victimsTime(environment)).toBeLessThanOrEqual(alone);
});

describe('the lock', () => {
  let clock: FakeClock;
  let locks: ParentWriteLocks;
  let called: string[];
  beforeEach(() => {
    clock = new FakeClock();
    locks = new ParentWriteLocks(clock);
    called = [];
    locks.onGranted(({ namespace, name }) => called.push(`${namespace}/${name}`));
  });
  const keyOf = (path: string): ObjectId => {
    const [namespace = '', name = ''] = path.split('/');
    return { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', namespace, name };
  };
  const principalOf = (path: string, endpoint = 'https://arm.test') => ({ endpoint, id: path.split('/')[0]! });
  const acquire = (path: string, principal = principalOf(path), parent = NETWORK_ID) =>
    locks.acquire(keyOf(path), `${parent}/subnets/${path.split('/')[1]}`, false, principal).kind;
  /** The object's reconcile ends. */
  const end = (path: string, left: Parameters<ParentWriteLocks['reconciled']>[1] = 'nothing') =>
    locks.reconciled(keyOf(path), left, undefined);
  const waits = (...paths: string[]) => paths.forEach((path) => {
    expect([path, acquire(path)]).toEqual([path, 'waits']);
    end(path);
  });
  /** Each object that is granted the lock writes at once, and ends. */
  const playedOut = () => {
    const order: string[] = [];
    for (let next = called.shift(); next; next = called.shift()) {
      order.push(next);
      expect(acquire(next)).toBe('held');
      end(next);
    }
    return order;
  };

  test('is granted to namespaces in turn, and in a namespace to its principals', () => {
    expect(acquire('x/first')).toBe('held');
    waits('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1');
    expect(acquire('a/other', { endpoint: 'https://arm.test', id: 'another' })).toBe('waits');
    end('a/other');
    end('x/first');
    const order: string[] = [];
    for (let next = called.shift(); next; next = called.shift()) {
      order.push(next);
      const principal = next === 'a/other' ? { endpoint: 'https://arm.test', id: 'another' } : principalOf(next);
      expect(acquire(next, principal)).toBe('held');
      end(next);
    }
    expect(order).toEqual(['a/1', 'b/1', 'c/1', 'a/other', 'b/2', 'a/2', 'a/3']);
  });

  test('is lost by a reconcile that is throttled before it has sent its request', () => {
    acquire('a/1');
    waits('b/1');
    end('a/1', 'throttled');
    expect(playedOut()).toEqual(['b/1']);
    // A second time, nobody waits until it is.
    expect([acquire('a/1'), acquire('b/1')]).toEqual(['held', 'held']);
  });

  test('stays with a running operation whose polls are throttled', () => {
    acquire('a/1');
    end('a/1', 'begun');
    waits('b/1');
    end('a/1', 'throttled');
    expect(called).toEqual([]);
  });

  test('is free for others while the request waits for its turn, and its holder sends nothing while they write', () => {
    acquire('a/1');
    waits('b/1', 'a/2');
    locks.pause(keyOf('a/1'));
    expect(called).toEqual(['b/1']);
    expect(acquire('b/1')).toBe('held');
    expect(locks.resume(keyOf('a/1'))).toBe(false);
    end('b/1');
    expect(locks.resume(keyOf('a/1'))).toBe(true);
    waits('b/2');
  });

  test('is kept by a request that waits for its turn where nobody else does', () => {
    acquire('a/1');
    waits('a/2');
    locks.pause(keyOf('a/1'));
    expect([called, locks.resume(keyOf('a/1'))]).toEqual([[], true]);
  });

  test('is kept for a second by a request that is sent after it has waited, however long it waited', async () => {
    acquire('a/1');
    locks.pause(keyOf('a/1'));
    await clock.advance(60_000);
    expect(locks.resume(keyOf('a/1'))).toBe(true);
    waits('b/1');
    await clock.advance(999);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(called).toEqual(['b/1']);
  });

  test('goes on after a second to another one where the next does not begin, and then without delay', async () => {
    acquire('x/1');
    waits('slow/1', 'b/1', 'slow/2', 'b/2');
    end('x/1');
    expect(called.splice(0)).toEqual(['slow/1']);
    await clock.advance(1_000);
    expect(called.splice(0)).toEqual(['b/1']);
    expect(acquire('b/1')).toBe('held');
    // It begins at last: it comes next.
    waits('slow/1');
    end('b/1');
    expect(called.splice(0)).toEqual(['slow/1', 'b/2']);
    expect(acquire('b/2')).toBe('held');
  });

  test('is waited for again for a writer that was slow once, after it has begun in time', async () => {
    acquire('x/1');
    waits('slow/1', 'b/1');
    end('x/1');
    await clock.advance(1_500);
    expect(playedOut()).toEqual(['slow/1', 'b/1']);
    acquire('x/2');
    waits('slow/2', 'b/2');
    end('x/2');
    // The others did not wait for it, but it begins at once.
    expect(called).toEqual(['slow/2', 'b/2']);
    expect(playedOut()).toEqual(['slow/2', 'b/2']);
    acquire('x/3');
    waits('slow/3', 'b/3');
    end('x/3');
    expect(called).toEqual(['slow/3']);
  });

  test('is no longer than a second with a request that is not answered, unless Azure has accepted one of its principal', async () => {
    acquire('a/1');
    waits('b/1');
    await clock.advance(999);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(playedOut()).toEqual(['b/1']);
    end('a/1', 'doubt');
    // A second one is not waited for at all.
    expect(acquire('a/2')).toBe('waits');
    locks.release(keyOf('a/1'));
    expect(called.splice(0)).toEqual(['a/2']);
    expect(acquire('a/2')).toBe('held');
    expect(acquire('b/2')).toBe('held');
    locks.release(keyOf('a/2'));
    locks.answered(keyOf('b/2'), 'accepted');
    waits('c/1');
    await clock.advance(60_000);
    expect(called).toEqual([]);
    end('b/2', 'doubt');
    await clock.advance(240_000);
    expect(called).toEqual([]);
  });

  test('is held by an accepted request until its operation is over', async () => {
    acquire('a/1');
    locks.answered(keyOf('a/1'), 'accepted');
    end('a/1', 'begun');
    waits('b/1');
    await clock.advance(540_000);
    expect(called).toEqual([]);
  });

  test('does not wait for whom Azure has refused, until it is accepted', () => {
    acquire('a/1');
    locks.answered(keyOf('a/1'), 'refused');
    end('a/1');
    expect(acquire('a/1')).toBe('held');
    expect(acquire('b/1')).toBe('held');
    end('b/1');
    // Its own objects go on one after the other.
    waits('a/2');
    locks.answered(keyOf('a/1'), 'accepted');
    waits('b/2');
  });

  test.each(['accepted', 'refused'] as const)('knows nothing of a principal that was %s below another parent', async (rights) => {
    expect(acquire('a/1', principalOf('a'), `${GROUP_ID}/providers/Microsoft.Network/virtualNetworks/own`)).toBe('held');
    locks.answered(keyOf('a/1'), rights);
    end('a/1');
    expect(acquire('a/2')).toBe('held');
    waits('b/1');
    await clock.advance(999);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(called).toEqual(['b/1']);
  });

  test('has turns for whom Azure has refused, beside the others, who may have got rights', () => {
    acquire('a/1');
    locks.answered(keyOf('a/1'), 'refused');
    end('a/1');
    acquire('x/1');
    waits('a/1', 'b/1', 'b/2', 'a/2');
    end('x/1');
    expect(called.splice(0).sort()).toEqual(['a/1', 'b/1']);
    expect([acquire('a/1'), acquire('b/1')]).toEqual(['held', 'held']);
    expect([locks.mayStillWrite(keyOf('a/1')), locks.mayStillWrite(keyOf('b/1'))]).toEqual([true, true]);
    end('a/1');
    expect(called).toEqual([]);
    end('b/1');
    expect(called.splice(0).sort()).toEqual(['a/2', 'b/2']);
  });

  test('is to be acquired anew by a reconcile whose reads took so long that another one has begun', async () => {
    acquire('a/1');
    waits('b/1');
    await clock.advance(1_000);
    expect(locks.mayStillWrite(keyOf('a/1'))).toBe(false);
    locks.release(keyOf('b/1'));
    expect(locks.mayStillWrite(keyOf('a/1'))).toBe(true);
  });

  test('gives the deletion of the parent the first place, but not to a stranger that was refused', () => {
    const parent = (path: string) => locks.acquire(keyOf(path), NETWORK_ID, true, principalOf(path)).kind;
    acquire('a/1');
    waits('b/1');
    expect(parent('owner/net')).toBe('waits');
    end('owner/net');
    end('a/1');
    expect(called.splice(0)).toEqual(['owner/net']);
    expect(parent('owner/net')).toBe('held');
    locks.answered(keyOf('owner/net'), 'refused');
    waits('c/1');
    expect(acquire('b/0')).toBe('waits');
    end('owner/net');
    expect(called.splice(0)).toEqual(['b/1']);
    acquire('b/1');
    expect(parent('owner/net')).toBe('waits');
    end('owner/net');
    end('b/1');
    expect(called.splice(0)[0]).toBe('c/1');
  });

  test('is granted to no writer that may go beside the holder as long as an earlier one has to wait for that', () => {
    const server = `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/server`;
    const turn = (path: string, type: string) =>
      locks.acquire(keyOf(path), `${server}/${type}/${path.split('/')[1]}`, false, principalOf(path)).kind;
    expect(turn('a/1', 'firewallRules')).toBe('held');
    locks.answered(keyOf('a/1'), 'accepted');
    end('a/1', 'begun');
    expect(turn('b/1', 'configurations')).toBe('waits');
    end('b/1');
    expect(turn('c/1', 'firewallRules')).toBe('waits');
    end('c/1');
    expect(called).toEqual([]);
    end('a/1');
    expect(called).toEqual(['b/1']);
  });

  test('of a parent in another cloud is another one', () => {
    expect(acquire('a/1', principalOf('a/1', 'https://arm.of-a-stranger.test'))).toBe('held');
    locks.answered(keyOf('a/1'), 'accepted');
    end('a/1', 'begun');
    expect(acquire('b/1')).toBe('held');
  });

  test('waits after a start for a minute for what may have been sent before, and for no object that is new', async () => {
    locks.restore(keyOf('a/1'), `${NETWORK_ID}/subnets/1`);
    waits('b/1');
    await clock.advance(59_000);
    expect(called).toEqual([]);
    await clock.advance(1_000);
    expect(called.splice(0)).toEqual(['b/1']);
    ['a/1', 'b/1'].forEach((path) => locks.release(keyOf(path)));
    locks.restore(keyOf('a/2'), `${NETWORK_ID}/subnets/2`, true);
    expect([acquire('b/2'), acquire('a/3')]).toEqual(['held', 'waits']);
  });

  test.each([
    ['an operation without a sign', 'begun', 'b/1', 10],
    ['a request in doubt', 'doubt', 'a/2', 5],
  ] as const)('that this process has given stays as it is when the objects are read again: %s', async (_, left, waiting, minutes) => {
    expect(acquire('a/1')).toBe('held');
    locks.answered(keyOf('a/1'), 'accepted');
    end('a/1', left);
    waits(waiting);
    for (const isNew of [true, false]) locks.restore(keyOf('a/1'), `${NETWORK_ID}/subnets/1`, isNew);
    await clock.advance(minutes * 60_000 - 1);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(called).toEqual([waiting]);
  });

  test('waits for no operation that only annotations speak of', () => {
    for (const left of ['operation', 'silence'] as const) {
      locks.reconciled(keyOf('a/1'), left, `${NETWORK_ID}/subnets/1`);
      expect([left, acquire('b/1')]).toEqual([left, 'held']);
      ['a/1', 'b/1'].forEach((path) => locks.release(keyOf(path)));
    }
  });

  const rules = Object.values(ALL_KINDS).flatMap(({ serialWrites }) => serialWrites ?? []);
  const idOf = (type: string) => {
    const [provider, ...types] = type.split('/');
    return `${GROUP_ID}/providers/${provider}/${types.map((segment, index) => `${segment}/p${index}`).join('/')}`;
  };
  test('there are rules', () => expect(rules.length).toBeGreaterThanOrEqual(15));
  test.each(rules.map((rule) => [rule.parent, rule] as const))('of %s waits for nobody who is refused, throttled or silent', async (_, rule) => {
    const children = [...rule.alone, ...rule.together ?? []].map((child) => (name: string) => {
      const [path, ...rest] = child.split('/');
      return [idOf(rule.parent), path, rest.length === 0 ? name : 'x', ...rest.flatMap((segment) => [segment, name])].join('/');
    });
    for (const childOf of children) {
      const turn = (path: string) => locks.acquire(keyOf(path), childOf(path.split('/')[1]!), false, principalOf(path)).kind;
      for (const how of ['refused', 'throttled', 'silent'] as const) {
        const [one, other] = [`stranger-${how}/1`, `victim-${how}/2`];
        expect(turn(one)).toBe('held');
        if (how === 'refused') locks.answered(keyOf(one), 'refused');
        if (how !== 'silent') end(one, how === 'throttled' ? 'throttled' : 'nothing');
        if (how === 'silent') await clock.advance(1_000);
        expect([childOf('c'), how, turn(other)]).toEqual([childOf('c'), how, 'held']);
        [one, other].forEach((path) => locks.release(keyOf(path)));
      }
    }
  });
});
