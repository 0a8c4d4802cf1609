import { Worker } from 'node:worker_threads';
import { JobStoppedError, type StopReason } from './errors';
import type { JobRequest, WorkerMessage } from './messages';
import { WorkedTime } from './worked-time';

const SHORTEST_LOOK_MS = 5;

export interface WorkerLimits {
  /** Heap of the thread in MiB. */
  readonly memoryMb: number;
}

/** The answer to a job. */
type Answer = Exclude<WorkerMessage, { ready: true } | { phase: string }>;

interface Running {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly deadlineMs: number;
  phase?: string;
  timer?: NodeJS.Timeout;
}

/** A thread that runs one job at a time. Stopping a job ends the thread. */
export class WorkerThread {
  /** Resolves when the thread has ended, for any reason. */
  public readonly ended: Promise<void>;
  /** Number of jobs started. */
  public jobs = 0;
  private readonly worker: Worker;
  private readonly ready: Promise<void>;
  private running: Running | undefined;
  private stopped?: StopReason;
  private retires = false;

  /** @param data input for all jobs of the thread: its `workerData` */
  public constructor(file: string, public readonly limits: WorkerLimits, data?: unknown) {
    const { memoryMb } = limits;
    // No settings and no credentials: a job gets everything in its input.
    this.worker = new Worker(file, {
      name: 'job',
      workerData: data,
      env: {},
      execArgv: [],
      stdout: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
    });
    this.worker.unref();
    let isReady: () => void = () => undefined;
    this.ready = new Promise((resolve) => (isReady = resolve));
    this.ended = new Promise((resolve) => this.worker.once('exit', () => {
      this.stopped ??= 'crash';
      isReady();
      this.fail();
      resolve();
    }));
    this.worker.on('message', (message: WorkerMessage) => {
      if ('ready' in message) return isReady();
      if ('phase' in message) return this.reported(message.phase);
      this.answered(message);
    });
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      this.stopped ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
    });
  }

  /** Whether the thread accepts another job. */
  public get isUsable(): boolean {
    return !this.stopped && !this.retires;
  }

  /** @throws JobStoppedError, or an Error with the text of the one that the job threw */
  public async run(request: JobRequest, deadlineMs: number): Promise<unknown> {
    this.jobs += 1;
    await this.ready;
    return new Promise((resolve, reject) => {
      this.running = { resolve, reject, deadlineMs };
      if (this.stopped) return this.fail();
      // The deadline excludes the time to load the thread's code.
      this.watch(this.running, new WorkedTime());
      this.worker.postMessage(request);
    });
  }

  /** Ends the thread and its running job. */
  public end(reason: StopReason = 'crash'): void {
    this.stopped ??= reason;
    void this.worker.terminate();
  }

  private watch(running: Running, worked: WorkedTime): void {
    const leftMs = worked.left(running.deadlineMs);
    if (leftMs === 0) return this.end('deadline');
    running.timer = setTimeout(() => this.watch(running, worked), Math.max(leftMs, SHORTEST_LOOK_MS));
  }

  private reported(phase: string): void {
    if (this.running) this.running.phase = phase;
  }

  private answered(message: Answer): void {
    const running = this.finished();
    this.retires ||= message.retire;
    if ('output' in message) running?.resolve(message.output);
    else running?.reject(Object.assign(new Error(message.error.message), { name: message.error.name }));
  }

  private fail(): void {
    const running = this.finished();
    running?.reject(new JobStoppedError(this.stopped!, running.deadlineMs, running.phase));
  }

  private finished(): Running | undefined {
    const { running } = this;
    this.running = undefined;
    clearTimeout(running?.timer);
    return running;
  }
}
