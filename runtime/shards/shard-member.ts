import { Claims } from './claims';
import { ChangeDecider, type Change, type Position } from './decide';
import { momentOf, type Clocks, type Fence } from './fence';
import { GroupLease } from './group-lease';
import { LeaseTakenError, MemberLease } from './member-lease';
import { inBoundedTime } from './preparation';
import { splittable, type Publication, type ShardCount } from './publication';
import { inTime, isConflict, isNotFound, listMembers, type ShardClient } from './requests';
import { Roster } from './roster';
import type { Snapshot } from './snapshot';
import { FAST_TURN_MS, PREPARE_MS, REQUEST_MS, SNAPSHOT_MS, TURN_MS } from './timing';
import { EMPTY_VIEW, type View } from './view';
import { Waker } from './waker';
import type { ElectionTime } from '../leader';
import { LEASES } from '../leader/lease';

export interface ShardMemberOptions {
  readonly client: ShardClient;
  /** Of the operator. */
  readonly namespace: string;
  /** `shardIdentity`: unique to this start of the process. */
  readonly identity: string;
  readonly shards: ShardCount;
  /** Namespaces to split by owner tree; the first 50 by name. `split` changes them. */
  readonly wantsSplit?: readonly string[];
  /** Of the program, for people who read the Lease. */
  readonly version: string;
  readonly time: ElectionTime;
  readonly fence: Fence;
  /** As `ShardHost.prepare`. It may be on another thread. */
  readonly prepare: (next: View, signal: AbortSignal) => Promise<void>;
  /**
   * Gives the ownership of the process its next snapshot; resolves when it has it. If that is on another thread that does not turn its
   * event loop, the fence makes the last snapshot void.
   */
  readonly onSnapshot: (snapshot: Snapshot) => Promise<void>;
  /** Whether the process owns the key: `FencedOwnership` of the same fence and snapshots. Asked for the work of the whole cluster. */
  readonly ownsCluster: () => boolean;
  /** Why this process hangs although this thread runs; undefined: it does not. While it hangs, nothing is renewed. */
  readonly standstill?: () => string | undefined;
  /** Another controller holds the group's Lease, so this process waits; empty: none does. */
  readonly onOtherController?: (holder: string) => void;
  /** Called for failed requests. They are retried. */
  readonly onError?: (error: unknown) => void;
}

/** The process is a shard no more, and has to end. */
export class ShardLostError extends Error {
  public constructor(public readonly identity: string, public readonly why: string) {
    super(`shard lost: ${why}. Other replicas take over; this process ends (${identity})`);
    this.name = 'ShardLostError';
  }
}

/** Leases of others that are deleted in one turn. */
const MAX_DELETED = 5;

/** A replica's part in the protocol (docs/sharding.md): loops that renew, hold the group's Lease, and list; and one change at a time. */
export class ShardMember {
  private readonly claims = new Claims();
  private readonly decider = new ChangeDecider();
  private readonly roster: Roster;
  private readonly lease: MemberLease;
  private readonly group: GroupLease;
  private readonly lostController = new AbortController();
  private readonly stopped = new AbortController();
  private readonly renewing = new Waker();
  private readonly grouping = new Waker();
  private readonly listing = new Waker();
  private readonly releasing = new AbortController();
  /** The publication of the next write. */
  private wanted: Publication;
  private wantsSplit: readonly string[];
  /** The last publication that the API server has acknowledged. */
  private published: Publication;
  private next: View | undefined;
  private changing: Promise<void> | undefined;
  private loops: Promise<unknown> = Promise.resolve();
  private otherController = '';
  private hasJoined = false;
  private lists = 0;
  /** Of the next snapshot. */
  private epoch = 0;
  /** Of the last snapshot. */
  private shown: readonly unknown[] = [];
  private acknowledged?: () => void;

  public constructor(private readonly options: ShardMemberOptions) {
    const { client, namespace, identity, time, fence, shards, version, wantsSplit = [] } = options;
    const clocks: Clocks = time;
    this.lease = new MemberLease(client, namespace, identity, () => time.now());
    this.roster = new Roster(this.lease.name);
    this.group = new GroupLease(client, namespace, clocks, fence);
    this.wantsSplit = splittable(wantsSplit);
    this.published = {
      phase: shards === 'auto' ? 'joining' : 'standby', view: EMPTY_VIEW, wantsSplit: this.wantsSplit, shards, version,
    };
    this.wanted = this.published;
  }

  /** Aborts with a ShardLostError when this process can own nothing any more. It has to end. */
  public get lost(): AbortSignal {
    return this.lostController.signal;
  }

  /**
   * The namespaces to split by owner tree from now on; the first 50 by name. Published with the next change of the view. Until all members
   * agree, nobody owns what the views give to different members.
   */
  public split(namespaces: readonly string[]): void {
    this.wantsSplit = splittable(namespaces);
    this.listing.wake();
  }

  /** Resolves when the process has a Lease; it owns nothing yet. Rejects only when the signal aborts. */
  public async join(signal: AbortSignal): Promise<void> {
    const { time, fence } = this.options;
    for (;;) {
      signal.throwIfAborted();
      const sent = momentOf(time);
      if (this.options.standstill?.() === undefined && await this.tried(this.lease.create(this.published))) {
        fence.renew('own', sent);
        break;
      }
      await time.sleep(TURN_MS * (0.5 + time.random()), signal);
    }
    this.hasJoined = true;
    this.loops = Promise.all([
      this.renewForEver(),
      this.forEver(() => this.groupTurn(), () => TURN_MS, this.grouping),
      this.forEver(() => this.listTurn(), () => this.listPause(), this.listing),
    ]);
  }

  /**
   * Ends the work, says so in the Lease, and gives up the group's Lease if no other member may be alive. Never rejects. The process owns
   * nothing afterwards.
   * @param prepareMs time for the host to end its work
   */
  public async release(prepareMs = PREPARE_MS): Promise<void> {
    if (!this.hasJoined || this.lost.aborted || this.releasing.signal.aborted) return;
    this.releasing.abort(new Error('released'));
    if (this.published.view.members.length > 0 && !this.lost.aborted) {
      // The others fill their caches meanwhile.
      this.wanted = { ...this.published, phase: 'leaving' };
      this.renewing.wake();
      await this.prepare(EMPTY_VIEW, prepareMs).catch((error: unknown) => this.options.onError?.(error));
    }
    this.stopped.abort(new Error('released'));
    for (const waker of [this.renewing, this.grouping, this.listing]) waker.wake();
    // A turn that is under way would take the group's Lease again.
    await this.loops;
    if (this.lost.aborted) return;
    const last: Publication = { ...this.published, phase: 'leaving', view: EMPTY_VIEW };
    await this.narrow(last);
    this.options.fence.end('own');
    if (!await this.tried(this.lease.release(last))) return;
    await this.tried(this.group.release(async () => {
      const isListed = (await this.list()) !== undefined;
      return !isListed || this.roster.hasOthers;
    }));
  }

  private async renewForEver(): Promise<void> {
    const { fence, standstill } = this.options;
    let pause = TURN_MS;
    while (!this.hasEnded) {
      // Never asleep beyond the end of the term: the work has to end then.
      await this.renewing.sleep(this.options.time, Math.max(Math.min(pause, fence.left('own')), 0));
      if (this.hasEnded) return;
      const why = standstill?.();
      if (fence.hasEnded('own')) return this.lose(why ?? 'its Lease could not be renewed within its term');
      if (why === undefined) pause = (await this.renew()) ? TURN_MS : TURN_MS / 2;
    }
  }

  /** Writes the own Lease. */
  private async renew(): Promise<boolean> {
    const { time, fence } = this.options;
    const publication = this.wanted;
    await this.narrow(publication);
    const sent = momentOf(time);
    const isWritten = await this.tried(this.lease.write(publication), Math.min(REQUEST_MS, fence.left('own')));
    if (!isWritten) return false;
    if (fence.hasEnded('own')) {
      this.lose('its Lease could not be renewed within its term');
      return false;
    }
    if (!fence.isCurrent('own')) {
      // Suspended, or a clock was set: others may have counted this process as dead, and have taken what it owns.
      this.claims.forget();
      fence.epoch = this.epoch += 1;
      this.listing.wake();
    }
    fence.renew('own', sent);
    this.published = publication;
    this.claims.acknowledged(publication);
    this.acknowledged?.();
    return true;
  }

  /** Before a publication is sent that takes something away: from now on the process does not own that. */
  private async narrow(publication: Publication): Promise<void> {
    if (!this.claims.narrows(publication.view)) return;
    this.claims.sending(publication);
    this.epoch += 1;
    await this.show();
    this.options.fence.epoch = this.epoch;
  }

  private async groupTurn(): Promise<void> {
    const { standstill, onOtherController } = this.options;
    if (standstill?.() !== undefined) return;
    await this.tried(this.group.turn().then((holder) => {
      if (holder !== this.otherController) onOtherController?.(holder);
      this.otherController = holder;
    }));
  }

  private async listTurn(): Promise<void> {
    const { serial } = this.claims;
    const { published, wanted } = this;
    const isOwnListed = await this.list(published);
    if (isOwnListed === undefined || this.hasEnded) return;
    if (isOwnListed) this.claims.prove(serial, this.roster.rivals());
    if (!this.changing && wanted === published) this.decide();
    void this.show();
    if (this.options.ownsCluster()) await this.collectGarbage();
  }

  /** @returns whether the list has the own publication; undefined: there is no list */
  private async list(publication: Publication = this.published): Promise<boolean | undefined> {
    const { client, namespace, time } = this.options;
    const requested = time.elapsed();
    const call = (this.lists += 1);
    let isOwnListed: boolean | undefined;
    await this.tried(listMembers(client, namespace).then((leases) => {
      // An answer that was given up must not follow that of a later list.
      if (call !== this.lists) return;
      this.roster.observe(leases, requested, time.elapsed());
      isOwnListed = this.lease.isIn(leases, publication);
    }));
    return isOwnListed;
  }

  private listPause(): number {
    return this.decider.isUnsettled(this.position, this.roster.live()) || this.changing ? FAST_TURN_MS : TURN_MS;
  }

  private get position(): Position {
    const { published, wantsSplit } = this;
    return { member: this.options.identity, acquireTime: this.lease.acquireTime, published, wantsSplit };
  }

  private decide(): void {
    if (this.releasing.signal.aborted) return;
    const { roster, position } = this;
    const change = this.decider.decide(position, roster.live(), this.options.time.elapsed(), roster.missing());
    if (!change) return;
    this.changing = this.change(change)
      .catch((error: unknown) => this.options.onError?.(error))
      .finally(() => {
        this.changing = undefined;
      });
  }

  /** The order is the protocol: the host is prepared, then the view is published, then a list proves what is owned. */
  private async change({ publication, prepare }: Change): Promise<void> {
    try {
      if (prepare) await this.prepare(prepare);
      if (this.releasing.signal.aborted || this.hasEnded) return;
      this.wanted = publication;
      this.renewing.wake();
      await this.isAcknowledged(publication);
    } finally {
      this.next = undefined;
    }
    this.listing.wake();
  }

  /** Resolves when the publication is acknowledged, or when this process ends. */
  private isAcknowledged(publication: Publication): Promise<void> {
    return new Promise((resolve) => {
      const ended = AbortSignal.any([this.releasing.signal, this.lost]);
      if (ended.aborted) return resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
      this.acknowledged = () => this.published === publication && resolve();
    });
  }

  private async prepare(next: View, limitMs = PREPARE_MS): Promise<void> {
    const { time, prepare } = this.options;
    this.next = next;
    await this.show();
    await inBoundedTime(time, limitMs, (signal) => prepare(next, signal));
  }

  /** Leases that nobody renews any more. */
  private async collectGarbage(): Promise<void> {
    const { client, namespace } = this.options;
    for (const { name, uid, resourceVersion } of this.roster.garbage().slice(0, MAX_DELETED)) {
      await this.tried(client.delete(LEASES, name, namespace, { uid, resourceVersion }));
    }
  }

  /** Gives a snapshot to the ownership, if anything has changed. Resolves when the ownership has it, or hangs. */
  private async show(): Promise<void> {
    const { epoch } = this;
    const { identity, fence, time, onSnapshot, onError } = this.options;
    const { proofs, views } = this.claims.snapshot();
    const parts = [epoch, proofs, views, this.next, fence.isCurrent('own'), fence.isCurrent('group')];
    if (parts.every((part, index) => part === this.shown[index])) return;
    this.shown = parts;
    const snapshot: Snapshot = { member: identity, epoch, proofs, views, ...(this.next ? { next: this.next } : {}) };
    const taken = new AbortController();
    const hangs = time.sleep(SNAPSHOT_MS, taken.signal).catch(() => undefined);
    await Promise.race([onSnapshot(snapshot).catch((error: unknown) => onError?.(error)), hangs]);
    taken.abort(new Error('taken'));
  }

  private lose(why: string): void {
    const { fence, identity } = this.options;
    fence.end('own');
    fence.epoch = this.epoch += 1;
    this.lostController.abort(new ShardLostError(identity, why));
  }

  private get hasEnded(): boolean {
    return this.stopped.signal.aborted || this.lost.aborted;
  }

  private async forEver(act: () => Promise<void>, pause: () => number, waker: Waker): Promise<void> {
    while (!this.hasEnded) {
      await act();
      if (!this.hasEnded) await waker.sleep(this.options.time, pause() * (0.9 + 0.2 * this.options.time.random()));
    }
  }

  /** Whether a request has succeeded in time. */
  private async tried(work: Promise<unknown>, limitMs = REQUEST_MS): Promise<boolean> {
    try {
      await inTime(this.options.time, work, limitMs);
      return true;
    } catch (error) {
      if (error instanceof LeaseTakenError) this.lose(error.why);
      else if (!isConflict(error) && !isNotFound(error)) this.options.onError?.(error);
      return false;
    }
  }
}
