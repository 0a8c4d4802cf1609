import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerProgram } from './worker-program';
import { JobStoppedError, QueueFullError } from '../../../engine/workers/errors';
import { WorkerPool, type JobObservation, type WorkerPoolOptions } from '../../../engine/workers/worker-pool';
import { until } from '../../setup/until';

const program = workerProgram(join(__dirname, 'misbehaving-worker.ts'));
afterAll(() => program.end());

const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function newPool(options: WorkerPoolOptions = {}): WorkerPool {
  const pool = new WorkerPool({ file: program.file, memoryMb: 32, ...options });
  pools.push(pool);
  return pool;
}

const of = (namespace: string, deadlineMs = 20_000) => ({ namespace, deadlineMs });

test('threads start with the first job, and end when there is nothing to do', async () => {
  const pool = newPool({ idleMs: 50 });
  expect(pool.threads).toBe(0);
  await expect(pool.run('echo', { a: [1] }, of('a'))).resolves.toEqual({ a: [1] });
  expect(pool.threads).toBe(1);
  await until('the thread has ended', () => pool.threads === 0);
  await expect(pool.run('echo', 'again', of('a'))).resolves.toBe('again');
});

test('a job that takes longer than it may is stopped; the next one finds a new thread', async () => {
  const pool = newPool();
  await expect(pool.run('spin', {}, of('a', 300))).rejects.toMatchObject({
    reason: 'deadline',
    message: 'took longer than it may (0.3 s)',
  });
  await expect(pool.run('echo', 1, of('a'))).resolves.toBe(1);
});

test('a job that has no processor is not stopped when its time on the clock is over', async () => {
  await expect(newPool().run('sleep', { ms: 1_100, text: 'done' }, of('a', 1_000))).resolves.toBe('done');
});

test('a job that fills the memory is stopped, and nothing else is', async () => {
  const pool = newPool();
  const other = pool.run('sleep', { ms: 1_000, text: 'done' }, of('b'));
  const stopped = pool.run('fill', {}, of('a'));
  await expect(stopped).rejects.toBeInstanceOf(JobStoppedError);
  await expect(stopped).rejects.toMatchObject({ reason: 'memory' });
  await expect(other).resolves.toBe('done');
});

test('a job that meets the memory of those before has a second attempt in a new thread', async () => {
  const seen: JobObservation[] = [];
  const pool = newPool({ size: 1, onJob: (observation) => seen.push(observation) });
  await pool.run('echo', 1, of('a'));
  await expect(pool.run('exit', {}, of('a'))).rejects.toMatchObject({ reason: 'crash' });
  expect(seen.map(({ outcome }) => outcome)).toEqual(['done', 'crash']);
  await pool.run('retire', {}, of('a'));
  await until('the thread has ended', () => pool.threads === 0);
});

test('an error of a job comes back by its text', async () => {
  await expect(newPool().run('unknown', {}, of('a'))).rejects.toMatchObject({ name: 'TypeError', message: 'no unknown' });
});

test('a namespace with many jobs has one thread, and another namespace\'s job the next', async () => {
  const pool = newPool();
  await Promise.all(['x', 'y'].map((namespace) => pool.run('echo', 1, of(namespace))));
  const order: string[] = [];
  const many = Array.from({ length: 20 }, () => pool.run('sleep', { ms: 100 }, of('greedy')).then(() => order.push('greedy')));
  await sleep(20);
  await pool.run('echo', 1, of('small')).then(() => order.push('small'));
  // Each of them takes 100 ms.
  expect(order.filter((name) => name === 'greedy').length).toBeLessThan(10);
  await Promise.all(many);
});

test('a namespace alone leaves the other thread to those who come', async () => {
  const pool = newPool();
  await Promise.all(Array.from({ length: 4 }, () => pool.run('echo', 1, of('greedy'))));
  expect(pool.threads).toBe(1);
});

test('with one thread, namespaces take turns', async () => {
  const pool = newPool({ size: 1 });
  const order: string[] = [];
  const add = (namespace: string) => pool.run('sleep', { ms: 5 }, of(namespace)).then(() => order.push(namespace));
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(add));
  expect(order.join('')).toBe('aabcaba');
});

test('a namespace may not have more than so many jobs waiting', async () => {
  const seen: JobObservation[] = [];
  const pool = newPool({ size: 1, maxQueued: 2, onJob: (observation) => seen.push(observation) });
  const running = pool.run('sleep', { ms: 300 }, of('a'));
  const waiting = [1, 2].map(() => pool.run('echo', 1, of('a')));
  await expect(pool.run('echo', 1, of('a'))).rejects.toBeInstanceOf(QueueFullError);
  await expect(pool.run('echo', 1, of('b'))).resolves.toBe(1);
  await Promise.all([running, ...waiting]);
  expect(seen.filter(({ outcome }) => outcome === 'refused')).toHaveLength(1);
});

test('threads have none of the controller\'s settings', async () => {
  process.env.AZURE_CLIENT_SECRET_OF_TEST = 'secret';
  try {
    expect(await newPool().run('environment', {}, of('a'))).toEqual({});
  } finally {
    delete process.env.AZURE_CLIENT_SECRET_OF_TEST;
  }
});

test('closing rejects what runs and what waits', async () => {
  const pool = newPool({ size: 1 });
  const jobs = [pool.run('spin', {}, of('a')), pool.run('echo', 1, of('a'))].map((job) => job.catch((error: unknown) => error));
  await sleep(300);
  await pool.close();
  expect(await Promise.all(jobs)).toEqual([expect.any(JobStoppedError), expect.any(Error)]);
  expect(pool.threads).toBe(0);
  await expect(pool.run('echo', 1, of('a'))).rejects.toThrow('the worker pool is closed');
});
