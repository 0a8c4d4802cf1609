import { systemElectionTime, type ElectionTime } from './election-time';
import { LEASES, leaseWith, microTime, newLease, recordOf, type LeaseRecord } from './lease';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';

/** ASO's Lease: a controller of ours and one of ASO's in the same namespace never lead at the same time. */
export const LEASE_NAME = 'controllers-leader-election-azinfra-generated';

/** Milliseconds. */
export interface ElectionTiming {
  /** Time for which other candidates leave a Lease alone that is not renewed. */
  readonly leaseDuration: number;
  /** Time for which a leader goes on without a renewal. Shorter than `leaseDuration`. */
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
  /** Unique to this process: two processes with one identity would both lead. */
  readonly identity: string;
  readonly timing?: ElectionTiming;
  readonly time?: ElectionTime;
  /** Called when another leader is seen; an empty identity: there is none. */
  readonly onLeader?: (identity: string) => void;
  /** Why this process hangs although this thread runs; undefined: it does not. While it hangs, a Lease is neither taken nor renewed. */
  readonly standstill?: () => string | undefined;
  /** Called with the end of this process' term (`ElectionTime.elapsed`) whenever it changes; -Infinity: it does not lead. */
  readonly onTerm?: (endMs: number) => void;
  /** Called for failed requests. They are retried. */
  readonly onError?: (error: unknown) => void;
}

export interface Leadership {
  /** Aborts when the Lease was not renewed in time, or another process holds it. The process must stop acting as the leader. */
  readonly lost: AbortSignal;
  /** False as soon as another process could take over, even before `lost` aborts: after the process was suspended for a while. */
  readonly isCurrent: boolean;
  /** Releases the Lease, so that the next leader need not wait. Never rejects. */
  release(): Promise<void>;
}

/** The leadership is lost; the process has to end. */
export class LeadershipLostError extends Error {
  public constructor(public readonly identity: string, public readonly why: string) {
    super(`leader election lost: ${why}. Another replica takes over; this process ends (${identity})`);
    this.name = 'LeadershipLostError';
  }
}

/** Like client-go: random delay of retries, so that candidates do not retry in step. */
const JITTER = 1.2;

/**
 * Leader election by a Lease, as in client-go. A candidate does not compare times of other machines with its own clock: it takes over a
 * Lease that it has seen unchanged for the lease duration. A leader's term counts from the moment before it sent its last successful
 * renewal, so it ends (10 s later) before any candidate takes over (15 s after the write).
 */
export class LeaderElector {
  private readonly time: ElectionTime;
  private readonly timing: ElectionTiming;
  private readonly name: string;
  private lease: KubernetesObject | undefined;
  /** The Lease at its last change, and when that was seen. */
  private observed?: { readonly record: LeaseRecord; readonly text: string; readonly at: number };
  private leader = '';
  /** When this process' term ends. */
  private termEnds = -Infinity;

  public constructor(private readonly options: LeaderElectorOptions) {
    this.time = options.time ?? systemElectionTime;
    this.timing = options.timing ?? DEFAULT_TIMING;
    this.name = options.name ?? LEASE_NAME;
    const { leaseDuration, renewDeadline, retryPeriod } = this.timing;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod * JITTER)) {
      throw new RangeError(
        'leader election: leaseDuration must be greater than renewDeadline, and that greater than 1.2 times retryPeriod',
      );
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
        const hasLease = isCurrent();
        // Another process may lead as soon as the Lease is empty, which may be long before the answer comes.
        this.setTermEnd(-Infinity);
        if (hasLease) await this.giveBack();
      },
    };
  }

  private async renewForEver(lost: AbortController, released: AbortSignal): Promise<void> {
    let pause = this.timing.retryPeriod;
    for (;;) {
      // Never sleep beyond the end of the term: the reconciles have to end then.
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
        return lost.abort(
          new LeadershipLostError(
            this.options.identity,
            why ?? (other ? `${other} holds the Lease` : 'somebody else has emptied the Lease'),
          ),
        );
      }
      pause = Math.min(this.timing.retryPeriod, 1_000);
    }
  }

  /** One try to get or to renew the Lease; true: this process leads, until `termEnds`. */
  private async attempt(signal: AbortSignal): Promise<boolean> {
    if (this.options.standstill?.() !== undefined) return false;
    const began = this.time.elapsed();
    try {
      // An answer that comes too late does not count. The next try reads what it did to the Lease.
      const held = await this.inTime((over) => this.hold(over), signal);
      this.reportLeader();
      if (!held || this.time.elapsed() >= began + this.timing.renewDeadline) return false;
      this.setTermEnd(Math.max(this.termEnds, began + this.timing.renewDeadline));
      return true;
    } catch (error) {
      // The remembered Lease may be outdated: the next try reads it.
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

  /** @param over aborts when the try has ended: it sends nothing any more, since this process may have given the Lease back */
  private async hold(over: AbortSignal): Promise<boolean> {
    const { client, identity, namespace } = this.options;
    // A leader that has the last version of the Lease writes without reading first.
    const known = this.lease && this.time.elapsed() < this.termEnds ? this.lease : await client.get(LEASES, this.name, namespace);
    over.throwIfAborted();
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
    try {
      await this.inTime(() => this.emptyLease(), new AbortController().signal);
    } catch (error) {
      this.options.onError?.(error);
    }
    this.lease = undefined;
  }

  /** A renewal that was under way may still arrive, before or after a read: then the Lease is read again. */
  private async emptyLease(): Promise<void> {
    const { client, identity, namespace } = this.options;
    for (let tries = 0; tries < 3; tries += 1) {
      const lease = this.lease ?? await client.get(LEASES, this.name, namespace);
      this.lease = undefined;
      if (!lease || recordOf(lease).holderIdentity !== identity) return;
      const now = microTime(this.time.now());
      const { leaseTransitions } = recordOf(lease);
      const record: LeaseRecord = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
      try {
        return void await client.replace(LEASES, leaseWith(lease, record));
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  private reportLeader(): void {
    const leader = this.observed?.record.holderIdentity ?? '';
    if (leader === this.leader) return;
    this.leader = leader;
    this.options.onLeader?.(leader);
  }

  private async inTime<T>(act: (over: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const over = new AbortController();
    const limit = this.timing.renewDeadline / 2;
    const stop = () => over.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const late = this.time.sleep(limit, over.signal).then(() => {
      throw new KubernetesError(0, 'Timeout', `no answer about the Lease ${this.options.namespace}/${this.name} within ${limit / 1000} s`);
    });
    late.catch(() => undefined);
    const work = act(over.signal);
    work.catch(() => undefined);
    try {
      return await Promise.race([work, late]);
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort(new Error('done'));
    }
  }
}

/** Another candidate was faster. */
function isConflict(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 409;
}
