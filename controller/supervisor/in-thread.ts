import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ShardMembership, ShardPeer } from './join-shards';
import type { Order, Report, SupervisorData } from './messages';
import { monotonicMs, SharedState } from './shared-state';
import type { Supervision } from './supervision';
import { KubeconfigError } from '../../engine/kubernetes/kubeconfig';
import { ListenError, type Endpoint } from '../../runtime/http/http-endpoints';
import { LeadershipLostError, type Leadership } from '../../runtime/leader';
import { ShardLostError } from '../../runtime/shards/shard-lost-error';

/** Interval of the main thread's heartbeats and readiness reports. */
const BEAT_MS = 200;
/** More than enough for an election and a health server. */
const HEAP_MEBIBYTES = 64;
const CLOSE_MS = 2_000;
/** Time for a Lease to be given back. Without an answer of the API server, others take it when its term is over. */
const RELEASE_MS = 4_000;

export interface SupervisorThreadOptions extends Omit<SupervisorData, 'memory'> {
  /** The module of the thread (`controller/supervisor-thread.ts`). */
  readonly module: URL;
  readonly onRequest: (request: { readonly method: string; readonly host: string; readonly status?: number | undefined }) => void;
}

/**
 * Supervises on a separate thread, which no tenant's work can block: it renews the Lease over its own connection and answers probes, as
 * long as the main thread sends heartbeats.
 */
export function superviseInThread({ module, onRequest, ...data }: SupervisorThreadOptions): Supervision {
  const state = new SharedState();
  state.heartbeatMs = monotonicMs();
  const worker = new Worker(module, {
    name: 'supervisor',
    workerData: { ...data, memory: state.memory } satisfies SupervisorData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES },
  });
  const thread = new SupervisorThread(worker, state, onRequest, data.lease?.identity ?? data.shards?.identity ?? '');
  return {
    serveHealth: (notReady) => thread.serveHealth(notReady),
    lead: (signal) => thread.lead(signal),
    join: (peer, signal) => thread.join(peer, signal),
    close: () => thread.close(),
  };
}

class SupervisorThread {
  private readonly lost = new AbortController();
  private readonly beating: NodeJS.Timeout;
  private readonly reports = new EventTarget();
  private readonly failure: Promise<never>;
  private readonly exited: Promise<unknown>;
  private notReady?: () => string | undefined;
  private lastReported: string | undefined;
  private closing = false;
  private peer?: ShardPeer;
  private readonly preparations = new Map<number, AbortController>();

  public constructor(
    private readonly worker: Worker,
    private readonly state: SharedState,
    private readonly onRequest: SupervisorThreadOptions['onRequest'],
    private readonly identity: string,
  ) {
    this.beating = setInterval(() => this.beat(), BEAT_MS);
    let fail: (error: Error) => void;
    this.failure = new Promise<never>((_, reject) => (fail = reject));
    this.failure.catch(() => undefined);
    const ended = (error: Error) => {
      this.lost.abort(error);
      fail(error);
    };
    worker.on('message', (report: Report) => {
      if (report.is === 'request') this.onRequest(report);
      else if (report.is === 'failed') fail(errorOf(report));
      else if (report.is === 'shardLost') this.lost.abort(new ShardLostError(this.identity, report.message));
      else if (report.is === 'prepare') void this.prepare(report);
      else if (report.is === 'expect') this.peer!.expect(report.view);
      else if (report.is === 'prepareOver') this.preparations.get(report.number)?.abort(new Error('the time to prepare is over'));
      else if (report.is === 'snapshot') void this.take(report);
      else if (report.is === 'lost') this.lost.abort(new LeadershipLostError(this.identity, report.message));
      else this.reports.dispatchEvent(new CustomEvent(report.is, { detail: report }));
    });
    this.exited = once(worker, 'exit').catch(() => undefined);
    worker.on('error', ended);
    worker.on('exit', (code) => this.closing || ended(new Error(`the supervisor's thread has ended with code ${code}`)));
  }

  public async serveHealth(notReady: () => string | undefined): Promise<Endpoint[]> {
    this.notReady = notReady;
    const { port } = (await this.reported('listening')) as Extract<Report, { is: 'listening' }>;
    this.beat();
    // The thread closes the endpoint.
    return port === undefined ? [] : [{ port, close: async () => undefined }];
  }

  public async lead(signal: AbortSignal): Promise<Leadership> {
    const leading = this.reported('leading');
    this.order({ do: 'lead' });
    await Promise.race([leading, rejected(signal)]);
    const { state, lost } = this;
    return {
      lost: lost.signal,
      // The supervisor extends the term, but this getter sees its end at once, by the clock, even after this thread has hung.
      get isCurrent() {
        return !lost.signal.aborted && monotonicMs() < state.termEndMs;
      },
      release: async () => {
        if (lost.signal.aborted) return;
        const released = this.reported('released');
        this.order({ do: 'release' });
        await Promise.race([released, elapsed(RELEASE_MS)]).catch(() => undefined);
      },
    };
  }

  public async join(peer: ShardPeer, signal: AbortSignal): Promise<ShardMembership> {
    this.peer = peer;
    const joined = this.reported('joined');
    this.order({ do: 'join' });
    await Promise.race([joined, rejected(signal)]);
    const { lost } = this;
    return {
      lost: lost.signal,
      split: (namespaces) => this.order({ do: 'split', namespaces }),
      release: async () => {
        if (lost.signal.aborted) return;
        const left = this.reported('left');
        this.order({ do: 'leave' });
        await Promise.race([left, elapsed(RELEASE_MS)]).catch(() => undefined);
      },
    };
  }

  public async close(): Promise<void> {
    this.beat();
    this.closing = true;
    clearInterval(this.beating);
    this.order({ do: 'close' });
    await Promise.race([this.exited, elapsed(CLOSE_MS)]);
    await this.worker.terminate();
  }

  private async prepare({ number, view }: Extract<Report, { is: 'prepare' }>): Promise<void> {
    const over = new AbortController();
    this.preparations.set(number, over);
    const error = await this.peer!.prepare(view, over.signal).then(() => undefined, (thrown: unknown) => String(thrown));
    this.preparations.delete(number);
    this.order({ do: 'prepared', number, error });
  }

  /** Taken before anything else can run on this thread: until then the fence makes the snapshot before it void. */
  private async take({ number, snapshot }: Extract<Report, { is: 'snapshot' }>): Promise<void> {
    await this.peer!.take(snapshot);
    this.order({ do: 'taken', number });
  }

  private beat(): void {
    this.state.heartbeatMs = monotonicMs();
    if (!this.notReady) return;
    const notReady = this.notReady();
    if (notReady === this.lastReported) return;
    this.lastReported = notReady;
    this.order({ do: 'ready', notReady });
  }

  private order(order: Order): void {
    this.worker.postMessage(order);
  }

  private reported(name: Report['is']): Promise<Report> {
    const report = new Promise<Report>((resolve) => {
      this.reports.addEventListener(name, (event) => resolve((event as CustomEvent<Report>).detail), { once: true });
    });
    return Promise.race([report, this.failure]);
  }
}

function errorOf({ error, message }: Extract<Report, { is: 'failed' }>): Error {
  if (error === 'KubeconfigError') return new KubeconfigError(message);
  return error === 'ListenError' ? ListenError.of(message) : new Error(message);
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
