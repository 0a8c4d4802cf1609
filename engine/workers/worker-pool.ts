import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JobStoppedError, QueueFullError, type StopReason } from './errors';
import { NamespaceQueue } from './namespace-queue';
import { WorkerThread } from './worker-thread';

/** The result of a job, for metrics. */
export interface JobObservation {
  readonly job: string;
  /** `failed`: the job threw an error. `refused`: the queue of its namespace was full. */
  readonly outcome: 'done' | 'failed' | 'refused' | StopReason;
  /** Duration of the run; 0 if it did not start. */
  readonly seconds: number;
  readonly waitedSeconds: number;
}

export interface WorkerPoolOptions {
  /** Maximum threads. Default 2: one namespace uses one of them at most, so the jobs of another find one. */
  readonly size?: number;
  /** Heap of a thread in MiB. Default 64. */
  readonly memoryMb?: number;
  /** Milliseconds after which an idle thread ends. Default 30 s. */
  readonly idleMs?: number;
  /** Maximum waiting jobs of one namespace. Default 200. */
  readonly maxQueued?: number;
  /** The script of the threads. Default: `job-worker.js` beside the bundled controller. */
  readonly file?: string;
  /** Input for all jobs: the `workerData` of the threads. */
  readonly data?: unknown;
  readonly onJob?: (observation: JobObservation) => void;
}

export interface JobOptions {
  /** The namespace of the job, for fair scheduling. */
  readonly namespace: string;
  /** Milliseconds that the job may work; one that waits may take five times as many (`WorkedTime`). */
  readonly deadlineMs: number;
  /** Heap of the job's thread in MiB. Default: that of the pool. */
  readonly memoryMb?: number;
}

/** Runs jobs outside the event loop's thread that take long or might exhaust the memory. */
export interface JobRunner {
  /** @throws JobStoppedError, QueueFullError, or an Error with the text of the one that the job threw */
  run(job: string, input: unknown, options: JobOptions): Promise<unknown>;
}

interface Task extends JobOptions {
  readonly job: string;
  readonly input: unknown;
  readonly queuedAt: number;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Worker threads for jobs of tenants. They start with the first job and end when idle. */
export class WorkerPool implements JobRunner {
  private readonly queue: NamespaceQueue<Task>;
  private readonly all = new Set<WorkerThread>();
  private readonly idle = new Map<WorkerThread, NodeJS.Timeout>();
  private readonly running = new Map<string, number>();
  private closed = false;

  public constructor(private readonly options: WorkerPoolOptions = {}) {
    this.queue = new NamespaceQueue(options.maxQueued ?? 200);
  }

  public get threads(): number {
    return this.all.size;
  }

  public get queued(): number {
    return this.queue.length;
  }

  public run(job: string, input: unknown, options: JobOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      try {
        if (this.closed) throw new Error('the worker pool is closed');
        this.queue.add(options.namespace, { ...options, job, input, queuedAt: performance.now(), resolve, reject });
      } catch (error) {
        if (error instanceof QueueFullError) this.options.onJob?.({ job, outcome: 'refused', seconds: 0, waitedSeconds: 0 });
        return reject(error);
      }
      this.dispatch();
    });
  }

  /** Ends all threads. Running and waiting jobs are rejected. */
  public async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of this.queue.clear()) reject(new Error('the worker pool is closed'));
    for (const timer of this.idle.values()) clearTimeout(timer);
    const threads = [...this.all];
    threads.forEach((thread) => thread.end());
    await Promise.all(threads.map(({ ended }) => ended));
  }

  private dispatch(): void {
    const { size = 2 } = this.options;
    const perNamespace = Math.max(1, size - 1);
    while (!this.closed && (this.idle.size > 0 || this.all.size < size)) {
      const next = this.queue.take((namespace) => (this.running.get(namespace) ?? 0) < perNamespace);
      if (!next) return;
      this.running.set(next.namespace, (this.running.get(next.namespace) ?? 0) + 1);
      void this.carryOut(next.item).finally(() => {
        const left = this.running.get(next.namespace)! - 1;
        if (left > 0) this.running.set(next.namespace, left);
        else this.running.delete(next.namespace);
        this.dispatch();
      });
    }
  }

  private async carryOut(task: Task): Promise<void> {
    const { job, queuedAt, resolve, reject } = task;
    const began = performance.now();
    const report = (outcome: JobObservation['outcome']) =>
      this.options.onJob?.({ job, outcome, seconds: (performance.now() - began) / 1000, waitedSeconds: (began - queuedAt) / 1000 });
    try {
      const output = await this.attempt(task, this.reused(task) ?? this.started(task));
      report('done');
      resolve(output);
    } catch (error) {
      report(error instanceof JobStoppedError ? error.reason : 'failed');
      reject(error);
    }
  }

  /** Runs a job. Earlier jobs may have filled the memory, so a job that fails for lack of it gets a second attempt in a new thread. */
  private async attempt(task: Task, thread: WorkerThread): Promise<unknown> {
    const { job, input, deadlineMs } = task;
    const isFresh = thread.jobs === 0;
    try {
      return await thread.run({ name: job, input }, deadlineMs);
    } catch (error) {
      if (!(error instanceof JobStoppedError)) throw error;
      await thread.ended;
      if (isFresh || error.reason === 'deadline' || this.closed) throw error;
      return await this.attempt(task, this.started(task));
    } finally {
      this.release(thread);
    }
  }

  private started(task: Task): WorkerThread {
    const { file = defaultFile(), data } = this.options;
    const thread = new WorkerThread(file, { memoryMb: this.memoryOf(task) }, data);
    this.all.add(thread);
    void thread.ended.then(() => {
      this.all.delete(thread);
      this.forgetIdle(thread);
      this.dispatch();
    });
    return thread;
  }

  /** An idle thread with the job's limit. An idle one with another limit ends if there is no place for a new thread. */
  private reused(task: Task): WorkerThread | undefined {
    const idle = [...this.idle.keys()];
    const thread = idle.find(({ limits }) => limits.memoryMb === this.memoryOf(task));
    if (thread) {
      this.forgetIdle(thread);
    } else if (idle[0] && this.all.size >= (this.options.size ?? 2)) {
      this.forgetIdle(idle[0]);
      this.all.delete(idle[0]);
      idle[0].end();
    }
    return thread;
  }

  private memoryOf({ memoryMb = this.options.memoryMb ?? 64 }: Task): number {
    return memoryMb;
  }

  private release(thread: WorkerThread): void {
    if (!this.all.has(thread)) return;
    if (!thread.isUsable || this.closed) return thread.end();
    this.idle.set(thread, setTimeout(() => thread.end(), this.options.idleMs ?? 30_000).unref());
  }

  private forgetIdle(thread: WorkerThread): void {
    clearTimeout(this.idle.get(thread));
    this.idle.delete(thread);
  }
}

/** The script beside this bundle, or in the package of these sources. */
function defaultFile(): string {
  const candidates = [join(__dirname, 'job-worker.js'), join(__dirname, '..', '..', 'lib', 'controller', 'job-worker.js')];
  const file = candidates.find((candidate) => existsSync(candidate));
  if (!file) {
    throw new Error(`the program of the worker threads is not there: ${candidates.join(', ')}; build it with node scripts/bundle.mjs`);
  }
  return file;
}
