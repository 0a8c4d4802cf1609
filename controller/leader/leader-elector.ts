import { systemElectionTime, type ElectionTime } from './election-time';
import { LEASES, leaseWith, microTime, newLease, recordOf, type LeaseRecord } from './lease';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';

/** ASO's Lease: a controller of ours and one of ASO's in the same namespace never lead at the same time. */
export const LEASE_NAME = 'controllers-leader-election-azinfra-generated';

/** Milliseconds. */
export interface ElectionTiming {
  /** So long others leave a Lease alone that is not renewed. */
  readonly leaseDuration: number;
  /** So long a leader goes on without having renewed. Shorter than `leaseDuration`. */
  readonly renewDeadline: number;
  /** Between two tries. */
  readonly retryPeriod: number;
}

export const DEFAULT_TIMING: ElectionTiming = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

export interface LeaderElectorOptions {
  readonly client: Pick<KubernetesClient, 'get' | 'create' | 'replace'>;
  readonly namespace: string;
  /** Default: ASO's. */
  readonly name?: string;
  /** Of this process alone: two processes with one identity would both lead. */
  readonly identity: string;
  readonly timing?: ElectionTiming;
  readonly time?: ElectionTime;
  /** Told when somebody else is seen to lead; an empty identity: nobody does. */
  readonly onLeader?: (identity: string) => void;
  /** Why this process does not work, although this thread of it does; undefined: it does. A Lease is neither taken nor renewed then. */
  readonly standstill?: () => string | undefined;
  /** Told until when (`ElectionTime.elapsed`) this process leads, whenever that changes; -Infinity: it does not. */
  readonly onTerm?: (endMs: number) => void;
  /** Told of requests that failed. They are repeated. */
  readonly onError?: (error: unknown) => void;
}

export interface Leadership {
  /** Aborts when the Lease could not be renewed in time, or somebody else holds it. Nothing may be done as the leader any more. */
  readonly lost: AbortSignal;
  /** False from the moment on in which others could take over, even if nobody was told yet: after the process was stopped for a while. */
  readonly isCurrent: boolean;
  /** Gives the Lease back, so that the next one need not wait. Never rejects. */
  release(): Promise<void>;
}

/** The leadership is lost; the process has to end. */
export class LeadershipLostError extends Error {
  public constructor(public readonly identity: string, public readonly why: string) {
    super(`leader election lost: ${why}. Another replica takes over; this process ends (${identity})`);
    this.name = 'LeadershipLostError';
  }
}

/** Like client-go: tries come a little later by chance, so that candidates do not march in step. */
const JITTER = 1.2;

/**
 * Leader election by a Lease, in the way of client-go. A candidate does not compare times that other machines have written with its own
 * clock: it takes a Lease over when it has seen it unchanged for as long as the Lease is valid. A leader counts from the moment
 * before it sent its last successful renewal, so its term ends (10 s later) before anybody else's patience does (15 s after the write).
 */
export class LeaderElector {
  private readonly time: ElectionTime;
  private readonly timing: ElectionTiming;
  private readonly name: string;
  private lease?: KubernetesObject;
  /** What the Lease said when it last changed, and when that was seen. */
  private observed?: { readonly record: LeaseRecord; readonly text: string; readonly at: number };
  private leader = '';
  /** Until when this process leads. */
  private termEnds = -Infinity;

  public constructor(private readonly options: LeaderElectorOptions) {
    this.time = options.time ?? systemElectionTime;
    this.timing = options.timing ?? DEFAULT_TIMING;
    this.name = options.name ?? LEASE_NAME;
    const { leaseDuration, renewDeadline, retryPeriod } = this.timing;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod * JITTER)) {
      throw new RangeError('leader election: leaseDuration must be greater than renewDeadline, and that greater than 1.2 times retryPeriod');
    }
  }

  /** Resolves when this process leads. Rejects only when the signal aborts. */
  public async acquire(signal: AbortSignal): Promise<Leadership> {
    for (;;) {
      signal.throwIfAborted();
      if (await this.attempt(signal)) return this.leadership();
      await this.time.sleep(this.timing.retryPeriod * (1 + JITTER * this.time.random()), signal);
    }
  }

  private leadership(): Leadership {
    const lost = new AbortController();
    const released = new AbortController();
    const renewing = this.renewForEver(lost, released.signal);
    const isCurrent = () => !lost.signal.aborted && this.time.elapsed() < this.termEnds;
    return {
      lost: lost.signal,
      get isCurrent() {
        return isCurrent();
      },
      release: async () => {
        released.abort(new Error('released'));
        await renewing;
        if (isCurrent()) await this.giveBack();
        this.setTermEnd(-Infinity);
      },
    };
  }

  private async renewForEver(lost: AbortController, released: AbortSignal): Promise<void> {
    let pause = this.timing.retryPeriod;
    for (;;) {
      // Never asleep beyond the end of the term: that is when the reconciles have to end.
      const left = this.termEnds - this.time.elapsed();
      await this.time.sleep(Math.max(Math.min(pause, left), 0), released).catch(() => undefined);
      if (released.aborted) return;
      const why = this.time.elapsed() >= this.termEnds ? this.notRenewed() : undefined;
      if (why === undefined && (await this.attempt(released))) {
        pause = this.timing.retryPeriod;
        continue;
      }
      if (released.aborted) return;
      const other = this.observed?.record.holderIdentity;
      if (why !== undefined || (other !== undefined && other !== this.options.identity)) {
        this.setTermEnd(-Infinity);
        return lost.abort(new LeadershipLostError(this.options.identity, why ?? (other ? `${other} holds the Lease` : 'somebody else has emptied the Lease')));
      }
      pause = Math.min(this.timing.retryPeriod, 1_000);
    }
  }

  /** One try to get or to renew the Lease; true: this process leads, until `termEnds`. */
  private async attempt(signal: AbortSignal): Promise<boolean> {
    if (this.options.standstill?.() !== undefined) return false;
    const began = this.time.elapsed();
    try {
      // An answer that does not come in time is as good as none. What it did to the Lease is read with the next try.
      const held = await this.inTime(this.hold(), signal);
      this.tellLeader();
      if (!held || this.time.elapsed() >= began + this.timing.renewDeadline) return false;
      this.setTermEnd(Math.max(this.termEnds, began + this.timing.renewDeadline));
      return true;
    } catch (error) {
      // What is remembered may be old: the next try reads.
      this.lease = undefined;
      if (!signal.aborted && !isConflict(error)) this.options.onError?.(error);
      return false;
    }
  }

  private notRenewed(): string {
    return this.options.standstill?.() ?? `the Lease could not be renewed within ${this.timing.renewDeadline / 1000} s`;
  }

  private setTermEnd(endMs: number): void {
    this.termEnds = endMs;
    this.options.onTerm?.(endMs);
  }

  private async hold(): Promise<boolean> {
    const { client, identity, namespace } = this.options;
    // A leader that knows the last version of the Lease writes without reading first.
    const known = this.lease && this.time.elapsed() < this.termEnds ? this.lease : await client.get(LEASES, this.name, namespace);
    if (!known) {
      this.see(await client.create(LEASES, newLease(namespace, this.name, this.record())));
      return true;
    }
    this.see(known);
    const { holderIdentity } = recordOf(known);
    if (holderIdentity !== '' && holderIdentity !== identity && this.isValid()) return false;
    this.see(await client.replace(LEASES, leaseWith(known, this.record(recordOf(known)))));
    return true;
  }

  /** Whether the holder may still believe that it leads. Its own renewTime says nothing: its clock may be wrong. */
  private isValid(): boolean {
    const { record, at } = this.observed!;
    // The holder may have been configured with another duration than this process.
    return this.time.elapsed() < at + Math.max(record.leaseDurationSeconds * 1000, 0);
  }

  private see(lease: KubernetesObject): void {
    this.lease = lease;
    const record = recordOf(lease);
    const text = JSON.stringify([record, lease.metadata.uid]);
    if (this.observed?.text !== text) this.observed = { record, text, at: this.time.elapsed() };
  }

  private record(before?: LeaseRecord): LeaseRecord {
    const renewTime = microTime(this.time.now());
    const stays = before?.holderIdentity === this.options.identity;
    return {
      holderIdentity: this.options.identity,
      leaseDurationSeconds: this.timing.leaseDuration / 1000,
      acquireTime: (stays ? before.acquireTime : undefined) ?? renewTime,
      renewTime,
      leaseTransitions: before ? before.leaseTransitions + (stays ? 0 : 1) : 0,
    };
  }

  private async giveBack(): Promise<void> {
    const { lease } = this;
    if (!lease) return;
    const now = microTime(this.time.now());
    const record: LeaseRecord = {
      holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions: recordOf(lease).leaseTransitions,
    };
    try {
      await this.inTime(this.options.client.replace(LEASES, leaseWith(lease, record)), new AbortController().signal);
    } catch (error) {
      this.options.onError?.(error);
    }
    this.lease = undefined;
  }

  private tellLeader(): void {
    const leader = this.observed?.record.holderIdentity ?? '';
    if (leader === this.leader) return;
    this.leader = leader;
    this.options.onLeader?.(leader);
  }

  private async inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const over = new AbortController();
    const limit = this.timing.renewDeadline / 2;
    const stop = () => over.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const late = this.time.sleep(limit, over.signal).then(() => {
      throw new KubernetesError(0, 'Timeout', `no answer about the Lease ${this.options.namespace}/${this.name} within ${limit / 1000} s`);
    });
    late.catch(() => undefined);
    work.catch(() => undefined);
    try {
      return await Promise.race([work, late]);
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort(new Error('done'));
    }
  }
}

/** Somebody else was faster. */
function isConflict(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 409;
}
