import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal, JournalError } from '../../../cli/migrate/journal';
import { LeaseHeldError, MigrationLease } from '../../../cli/migrate/migration-lease';
import type { Clock } from '../../../engine/clock';
import { Connection, KubernetesError, loadClusterAccess, RestClient, type KubernetesObject } from '../../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';

const NAMESPACE = 'default';
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
const directory = mkdtempSync(join(tmpdir(), 'migrate-journal-'));
let kubernetes: SandboxKubernetes;
let connection: Connection;
let client: RestClient;

beforeAll(async () => {
  kubernetes = await startKubernetes({ crds: [] });
  writeFileSync(join(directory, 'kubeconfig'), kubernetes.kubeconfig());
  connection = new Connection(await loadClusterAccess({ path: join(directory, 'kubeconfig') }));
  client = new RestClient(connection);
});
afterEach(async () => {
  await client.patch(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE, { metadata: { finalizers: null } }, 'application/merge-patch+json').catch(() => undefined);
  await client.delete(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE).catch(() => undefined);
  await client.delete(LEASES, 'cdk8s-aso-migration', NAMESPACE).catch(() => undefined);
});
afterAll(async () => {
  await connection.close();
  await kubernetes.close();
  rmSync(directory, { recursive: true });
});

/** Time that passes where somebody waits. */
function fastClock(): Clock {
  let now = Date.parse('2026-11-23T18:00:00Z');
  return {
    now: () => now,
    random: () => 0,
    schedule: () => () => undefined,
    sleep: async (milliseconds, signal) => {
      now += milliseconds;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (signal?.aborted) throw new Error('aborted');
    },
  };
}

describe('the journal', () => {
  test('is read again as it was written, and makes room for the next migration', async () => {
    expect(await Journal.read(client, NAMESPACE)).toBeUndefined();
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [], helmRelease: 'aso2' }, { now: 0 });
    await journal.update({ done: ['stop-watchers'] });
    const read = (await Journal.read(client, NAMESPACE))!;
    expect(read.state).toEqual(journal.state);
    expect(read.state).toMatchObject({ done: ['stop-watchers'], helmRelease: 'aso2', startedAt: '1970-01-01T00:00:00.000Z' });
    await read.update({ finishedAt: '2026-11-23T18:00:00.000Z' });
    expect((await Journal.read(client, NAMESPACE))!.isFinished).toBe(true);
    const next = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0, before: read.state.id });
    expect(next.state).toMatchObject({ done: [] });
    expect(next.isFinished).toBe(false);
  });

  test('stops a process that another one has overtaken', async () => {
    const first = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    const second = (await Journal.read(client, NAMESPACE))!;
    await second.update({ done: ['a'] });
    await expect(first.update({ done: ['b'] })).rejects.toThrow('another process has written the journal');
  });

  test('is not begun anew over one that another process has begun since the check', async () => {
    const first = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    const second = () => Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    await expect(second()).rejects.toThrow('another process has begun a migration since the check');
    await first.update({ finishedAt: '2026-11-23T18:00:00.000Z' });
    await expect(second()).rejects.toThrow('another process has begun a migration since the check');
  });

  test('that is deleted by hand stays until the migration is finished', async () => {
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    await client.delete(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE);
    const deleted = (await Journal.read(client, NAMESPACE))!;
    expect(deleted.isDeleted).toBe(true);
    await deleted.update({ done: ['stop-watchers'] });
    await expect(journal.update({ done: [] })).rejects.toThrow('another process has written the journal');
    await deleted.update({ finishedAt: '2026-11-23T18:00:00.000Z' });
    expect(await Journal.read(client, NAMESPACE)).toBeUndefined();
  });

  test('whose finalizer is removed, too, stops the process that writes it', async () => {
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    await client.patch(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await client.delete(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE);
    await expect(journal.update({ done: ['stop-watchers'] })).rejects.toThrow('was deleted in the middle of the migration');
  });

  test('of another cluster, from a backup, is not followed', async () => {
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    const data = { journal: JSON.stringify({ ...journal.state, cluster: '6f1b7f1e-0000-4000-8000-000000000000' }) };
    await client.patch(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE, { data }, 'application/merge-patch+json');
    await expect(Journal.read(client, NAMESPACE)).rejects.toThrow('is of another cluster');
  });

  const kind = { crd: 'a.b.azure.com', group: 'b.azure.com', kind: 'A', plural: 'a', from: 'v1storage', to: 'v1' };
  test.each<[string, object]>([
    ['direction', { direction: 'away' }],
    ['kinds', { kinds: [{ ...kind, plural: '../secrets' }] }],
    ['kinds', { kinds: {} }],
    ['done', { done: ['stop-watchers', 1] }],
    ['rewritten', { rewritten: 'all' }],
    ['startedAt', { startedAt: '\u001b[2Jyesterday' }],
    ['helmRelease', { helmRelease: 'aso2,owner!=helm' }],
    ['installedByUser', { installedByUser: 'yes' }],
  ])('with an edited member %s is not followed', async (name, change) => {
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [kind], helmRelease: 'aso2' }, { now: 0 });
    expect((await Journal.read(client, NAMESPACE))!.state).toEqual(journal.state);
    const data = { journal: JSON.stringify({ ...journal.state, ...change }) };
    await client.patch(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE, { data }, 'application/merge-patch+json');
    await expect(Journal.read(client, NAMESPACE)).rejects.toThrow(`cannot be read: it was edited: ${name}`);
  });

  test.each([
    ['{', 'cannot be read'],
    ['{"format":"cdk8s-aso/migration/9"}', 'was written by another release'],
  ])('%s is not taken for a journal', async (journal, message) => {
    await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cdk8s-aso-migration', namespace: NAMESPACE }, data: { journal } });
    const read = Journal.read(client, NAMESPACE);
    await expect(read).rejects.toThrow(JournalError);
    await expect(read).rejects.toThrow(message);
  });
});

describe('the lease', () => {
  test('of a process that lives refuses another one', async () => {
    const first = await MigrationLease.acquire(client, NAMESPACE, fastClock(), () => undefined);
    first.keep();
    const waits: string[] = [];
    await expect(MigrationLease.acquire(client, NAMESPACE, fastClock(), (holder) => waits.push(holder))).rejects.toThrow(LeaseHeldError);
    expect(waits).toHaveLength(1);
    expect(first.isHeld).toBe(true);
    await first.release();
    expect(first.isHeld).toBe(false);
    const next = await MigrationLease.acquire(client, NAMESPACE, fastClock(), (holder) => waits.push(holder));
    expect(waits).toHaveLength(1);
    await next.release();
  });

  test('of a process that was killed expires, and a writer that comes back has lost it', async () => {
    const clock = fastClock();
    const killed = await MigrationLease.acquire(client, NAMESPACE, clock, () => undefined);
    const next = await MigrationLease.acquire(client, NAMESPACE, clock, () => undefined);
    expect([killed.isHeld, next.isHeld]).toEqual([false, true]);
    await next.release();
  });

  test('that another process has taken over is lost, and is left to it', async () => {
    const slept: (() => void)[] = [];
    const clock: Clock = { ...fastClock(), sleep: () => new Promise((resolve) => slept.push(resolve)) };
    const first = await MigrationLease.acquire(client, NAMESPACE, clock, () => undefined);
    first.keep();
    const taken = await client.get(LEASES, 'cdk8s-aso-migration', NAMESPACE);
    await client.replace(LEASES, { ...taken!, spec: { ...taken!.spec, holderIdentity: 'another' } });
    slept.shift()!();
    while (!first.isLost && slept.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect([first.isLost, first.isHeld]).toEqual([true, false]);
    await first.release();
    expect((await client.get(LEASES, 'cdk8s-aso-migration', NAMESPACE))?.spec?.holderIdentity).toBe('another');
  });

  test('is free after a release, also where a renewal is under way', async () => {
    let stored: KubernetesObject | undefined;
    let version = 0;
    const arrivals: (() => void)[] = [];
    const store = (lease: KubernetesObject) => {
      version += 1;
      return (stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(version) } });
    };
    const slow = {
      get: async () => stored,
      create: async (_: unknown, lease: KubernetesObject) => store(lease),
      replace: async (_: unknown, lease: KubernetesObject) => {
        if (lease.spec?.holderIdentity !== '') await new Promise<void>((resolve) => arrivals.push(resolve));
        if (lease.metadata.resourceVersion !== stored?.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', 'modified');
        return store(lease);
      },
    } as unknown as RestClient;
    const lease = await MigrationLease.acquire(slow, NAMESPACE, { ...fastClock(), sleep: async () => undefined }, () => undefined);
    lease.keep();
    while (arrivals.length === 0) await Promise.resolve();
    const released = lease.release();
    // The renewal has arrived, and its answer is on its way.
    const arrived = stored!;
    arrivals.shift()!();
    await released;
    expect(stored).not.toBe(arrived);
    expect(stored!.spec?.holderIdentity).toBe('');
  });

  test.each<[string, () => Promise<KubernetesObject | undefined>, boolean]>([
    ['cannot be read', () => Promise.reject(new KubernetesError(503, 'ServiceUnavailable', 'not now')), true],
    ['is gone', async () => undefined, false],
  ])('after a conflict, where the Lease %s', async (_, get, isHeld) => {
    let sleeps = 0;
    let writes = 0;
    const clock: Clock = { ...fastClock(), sleep: async () => void (sleeps += 1) };
    const busy = {
      get: () => (writes === 0 ? Promise.resolve(undefined) : get()),
      create: async (_type: unknown, lease: KubernetesObject) => lease,
      replace: async (_type: unknown, lease: KubernetesObject) => {
        writes += 1;
        if (writes === 1) throw new KubernetesError(409, 'Conflict', 'modified');
        return lease;
      },
    } as unknown as RestClient;
    const lease = await MigrationLease.acquire(busy, NAMESPACE, clock, () => undefined);
    lease.keep();
    for (let steps = 0; steps < 100; steps += 1) await Promise.resolve();
    expect([lease.isHeld, lease.isLost, writes > 1]).toEqual([isHeld, !isHeld, isHeld]);
    await lease.release();
  });

  test('is held for its duration from before a write was sent, not from the answer', async () => {
    const clock = { ...fastClock(), at: 0, now: () => clock.at };
    const sleeps: (() => void)[] = [];
    clock.sleep = () => new Promise((resolve) => sleeps.push(resolve));
    /** Another process sees each write at once; this one gets the answer four seconds later. */
    const answered = async (_: unknown, lease: KubernetesObject) => {
      clock.at += 4_000;
      return lease;
    };
    const slow = { get: async () => undefined, create: answered, replace: answered } as unknown as RestClient;
    const lease = await MigrationLease.acquire(slow, NAMESPACE, clock, () => undefined);
    expect(clock.at).toBe(4_000);
    clock.at = 9_999;
    expect(lease.isHeld).toBe(true);
    clock.at = 10_000;
    expect(lease.isHeld).toBe(false);
    lease.keep();
    sleeps.shift()!();
    while (sleeps.length === 0) await Promise.resolve();
    expect(clock.at).toBe(14_000);
    clock.at = 19_999;
    expect(lease.isHeld).toBe(true);
    clock.at = 20_000;
    expect(lease.isHeld).toBe(false);
    const released = lease.release();
    sleeps.forEach((wake) => wake());
    await released;
  });
});
