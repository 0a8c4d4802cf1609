import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../../engine/kubernetes/types';
import { LeaderElector, LeadershipLostError, type ElectionTime, type Leadership } from '../../../runtime/leader';
import { recordOf } from '../../../runtime/leader/lease';

/** Simulated time: nothing happens but what is due. */
export class Timeline {
  public now = 0;
  /** Called after everything that happens at one time has happened. */
  public onStep?: () => void;
  private readonly timers = new Map<number, { readonly due: number; readonly callback: () => void }>();
  private sequence = 0;

  public constructor(public readonly random: () => number) {}

  public schedule(milliseconds: number, callback: () => void): () => void {
    const id = ++this.sequence;
    this.timers.set(id, { due: this.now + milliseconds, callback });
    return () => this.timers.delete(id);
  }

  public async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await settled();
      this.onStep?.();
      let next: { id: number; due: number; callback: () => void } | undefined;
      for (const [id, timer] of this.timers) if (!next || timer.due < next.due) next = { id, ...timer };
      if (!next || next.due > end) break;
      this.timers.delete(next.id);
      this.now = Math.max(this.now, next.due);
      next.callback();
    }
    this.now = end;
    await settled();
    this.onStep?.();
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 60; i += 1) await Promise.resolve();
}

function shortened(lease: KubernetesObject): KubernetesObject {
  return { ...lease, spec: { ...lease.spec, leaseDurationSeconds: 1 } };
}

type ServerFault = 'down' | 'lost answers' | 'slow';

/** One Lease, with the conflicts of an API server, and a network in between. */
export class LeaseServer {
  public lease?: KubernetesObject;
  public writes = 0;
  /** When the last write of each client that the client knows of was sent. */
  public readonly proven = new Map<string, number>();
  /** Writes over the Lease of another holder before it had ended. */
  public readonly robberies: string[] = [];
  /** When each client sent a write that makes it, or leaves it, the holder. */
  public readonly claims = new Map<string, number>();
  private version = 0;
  private changedAt = 0;
  private readonly faults: { readonly kind: ServerFault; readonly client: string; readonly until: number }[] = [];
  private readonly lost = new Set<string>();
  private short = false;

  public constructor(private readonly timeline: Timeline) {}

  public fault(kind: ServerFault, client: string, until: number): void {
    this.faults.push({ kind, client, until });
  }

  /** The next request of the client does not arrive, and gets no answer at all. */
  public loseNext(client: string): void {
    this.lost.add(client);
  }

  /** Shows the Lease with a duration that is shorter than the leader's term. */
  public expireForOthers(): void {
    this.short = true;
  }

  public takeAway(holderIdentity: string): void {
    this.store({ ...this.lease!, spec: { ...this.lease!.spec, holderIdentity } });
  }

  /** The holder has another lease duration than the candidates. */
  public setDuration(leaseDurationSeconds: number): void {
    this.store({ ...this.lease!, spec: { ...this.lease!.spec, leaseDurationSeconds } });
  }

  public clientOf(name: string): Pick<KubernetesClient, 'get' | 'create' | 'replace'> {
    return {
      get: () => this.travel(name, () => (this.short && this.lease ? shortened(this.lease) : this.lease)),
      create: (_, object) =>
        this.proves(name, object, () => {
          if (this.lease) throw new KubernetesError(409, 'AlreadyExists', 'exists');
          return this.store(object);
        }),
      replace: (_, object) =>
        this.proves(name, object, () => {
          if (object.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) {
            throw new KubernetesError(409, 'Conflict', 'modified');
          }
          this.noticeRobbery(name);
          return this.store(object);
        }),
    };
  }

  private async proves<T>(name: string, lease: KubernetesObject, act: () => T): Promise<T> {
    const sent = this.timeline.now;
    if (recordOf(lease).holderIdentity !== '') this.claims.set(name, sent);
    const result = await this.travel(name, act);
    this.proven.set(name, sent);
    return result;
  }

  private noticeRobbery(client: string): void {
    const { holderIdentity, leaseDurationSeconds } = recordOf(this.lease!);
    const isOwn = holderIdentity === client || holderIdentity.startsWith(`${client}_`);
    if (holderIdentity === '' || isOwn || this.timeline.now - this.changedAt >= leaseDurationSeconds * 1_000) return;
    this.robberies.push(`${this.timeline.now}: ${client} writes over the Lease of ${holderIdentity}`);
  }

  private store(object: KubernetesObject): KubernetesObject {
    this.writes += 1;
    this.changedAt = this.timeline.now;
    this.version += 1;
    return (this.lease = { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: String(this.version) } });
  }

  /** There and back, each with a delay of its own. */
  private async travel<T>(name: string, act: () => T): Promise<T> {
    const has = (kind: ServerFault) =>
      this.faults.some((fault) => fault.kind === kind && fault.client === name && fault.until > this.timeline.now);
    const delay = () => (has('slow') ? 500 + 12_000 * this.timeline.random() : 1 + 20 * this.timeline.random());
    const wait = (milliseconds: number) => new Promise<void>((resolve) => this.timeline.schedule(milliseconds, resolve));
    if (this.lost.delete(name)) await new Promise(() => undefined);
    await wait(delay());
    if (has('down')) throw new KubernetesError(0, 'ECONNREFUSED', 'down');
    const lost = has('lost answers');
    const result = act();
    await wait(delay());
    if (lost) throw new KubernetesError(0, 'ECONNRESET', 'answer lost');
    return result;
  }
}

/** A process that runs for leader. It can be paused (its timers fire late), killed, stopped, and its wall clock may jump. */
export class Candidate {
  public lostBecause?: string;
  public hasEnded = true;
  /** Why the rest of the process does not work, while its election does. */
  public standstill?: string | undefined;
  /** As the elector reported it last. */
  public termEnd = -Infinity;
  private leadership?: Leadership | undefined;
  private end = new AbortController();
  private pausedUntil = 0;
  private wall = 0;
  private life = 0;

  public constructor(private readonly timeline: Timeline, private readonly server: LeaseServer, public readonly name: string) {}

  public start(): void {
    this.hasEnded = false;
    this.end = new AbortController();
    const life = ++this.life;
    const identity = `${this.name}_${life}`;
    const elector = new LeaderElector({
      client: this.server.clientOf(this.name),
      namespace: 'aso',
      identity: life === 1 ? this.name : identity,
      time: this.time(life),
      standstill: () => this.standstill,
      onTerm: (end) => (this.termEnd = end),
    });
    elector.acquire(this.end.signal).then(
      (leadership) => {
        if (this.life !== life || this.hasEnded) return;
        this.leadership = leadership;
        leadership.lost.addEventListener('abort', () => {
          this.lostBecause = (leadership.lost.reason as LeadershipLostError).message;
          if (this.life === life) this.ended();
        });
      },
      () => undefined,
    );
  }

  /** Does what only a leader may do, if it were its turn to run now. */
  public get isWorking(): boolean {
    return !this.hasEnded && this.timeline.now >= this.pausedUntil && this.leadership?.isCurrent === true;
  }

  public pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.timeline.now + milliseconds);
  }

  public jump(milliseconds: number): void {
    this.wall += milliseconds;
  }

  /** kill -9 */
  public kill(): void {
    this.life += 1;
    this.ended();
  }

  public stop(): void {
    const { leadership } = this;
    this.ended();
    this.end.abort(new Error('stopped'));
    void leadership?.release();
  }

  private ended(): void {
    this.hasEnded = true;
    this.leadership = undefined;
  }

  private time(life: number): ElectionTime {
    const never = new Promise<never>(() => undefined);
    return {
      now: () => 1_700_000_000_000 + this.wall + this.timeline.now,
      elapsed: () => this.timeline.now,
      random: () => this.timeline.random(),
      sleep: (milliseconds, signal) => {
        if (this.life !== life) return never;
        return new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const wake = () => {
            // A killed process never wakes; a stopped one wakes later.
            if (this.life !== life) return;
            if (this.timeline.now < this.pausedUntil) this.timeline.schedule(this.pausedUntil - this.timeline.now, wake);
            else done(resolve);
          };
          const cancel = this.timeline.schedule(milliseconds, wake);
          const stop = () => {
            cancel();
            done(() => reject(signal!.reason));
          };
          const done = (settle: () => void) => {
            signal?.removeEventListener('abort', stop);
            settle();
          };
          signal?.addEventListener('abort', stop, { once: true });
        });
      },
    };
  }
}
