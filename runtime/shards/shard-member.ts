import { Claims } from './claims';
import { GroupLease } from './group-lease';
import { LeaseRenewal } from './lease-renewal';
import { MemberLease } from './member-lease';
import { MemberLifetime } from './member-lifetime';
import { MemberList } from './member-list';
import type { ShardMemberOptions } from './member-options';
import { OwnershipUpdater } from './ownership-updater';
import { splittable, type Publication } from './publication';
import { FAST_TURN_MS, PREPARE_MS, TURN_MS } from './timing';
import { EMPTY_VIEW } from './view';
import { ViewChanges } from './view-changes';
import type { Waker } from './waker';

/** A replica's part in the protocol (docs/sharding.md): loops that renew, hold the group's Lease, and list; and one change at a time. */
export class ShardMember {
  private readonly claims = new Claims();
  private readonly updater: OwnershipUpdater;
  private readonly lifetime: MemberLifetime;
  private readonly lease: MemberLease;
  private readonly group: GroupLease;
  private readonly list: MemberList;
  private readonly renewal: LeaseRenewal;
  private readonly changes: ViewChanges;
  private readonly grouping: Waker;
  private readonly listing: Waker;
  /** Resolves when all loops have ended; undefined: the process has no Lease yet. */
  private loops: Promise<unknown> | undefined;
  private otherController = '';

  public constructor(private readonly options: ShardMemberOptions) {
    const { client, namespace, identity, time, fence, shards, version } = options;
    const { claims } = this;
    const wantsSplit = splittable(options.wantsSplit ?? []);
    const first: Publication = { phase: shards === 'auto' ? 'joining' : 'standby', view: EMPTY_VIEW, wantsSplit, shards, version };
    const updater = this.updater = new OwnershipUpdater(options, claims);
    const lifetime = this.lifetime = new MemberLifetime(options, () => {
      fence.end('own');
      updater.revoke();
    });
    this.grouping = lifetime.waker();
    this.listing = lifetime.waker();
    const listSoon = () => this.listing.wake();
    const lease = this.lease = new MemberLease(client, namespace, identity, () => time.now());
    this.group = new GroupLease(client, namespace, identity, time, fence);
    const { roster } = this.list = new MemberList(options, lifetime, lease);
    const renewal = this.renewal = new LeaseRenewal(options, { lifetime, lease, claims, updater }, first, listSoon);
    this.changes = new ViewChanges(options, { lifetime, lease, roster, updater, renewal }, wantsSplit, listSoon);
  }

  /** Aborts with a ShardLostError when this process can own nothing any more. It has to end. */
  public get lost(): AbortSignal {
    return this.lifetime.lost;
  }

  /**
   * The namespaces to split by owner tree from now on; the first 50 by name. Published with the next change of the view. Until all members
   * agree, nobody owns what the views give to different members.
   */
  public split(namespaces: readonly string[]): void {
    this.changes.wantsSplit = splittable(namespaces);
    this.listing.wake();
  }

  /** Resolves when the process has a Lease; it owns nothing yet. Rejects only when the signal aborts. */
  public async join(signal: AbortSignal): Promise<void> {
    await this.renewal.create(signal);
    this.loops = Promise.all([
      this.renewal.repeat(),
      this.lifetime.repeat(() => this.groupTurn(), () => TURN_MS, this.grouping),
      this.lifetime.repeat(() => this.listTurn(), () => (this.changes.isUnsettled ? FAST_TURN_MS : TURN_MS), this.listing),
    ]);
  }

  /**
   * Ends the work, says so in the Lease, and gives up the group's Lease if no other member may be alive. Never rejects. The process owns
   * nothing afterwards.
   * @param prepareMs time for the host to end its work
   */
  public async release(prepareMs = PREPARE_MS): Promise<void> {
    const { lifetime, renewal, loops, options: { fence, onError } } = this;
    if (!loops || lifetime.lost.aborted || lifetime.leaving.aborted) return;
    lifetime.leave();
    if (renewal.published.view.members.length > 0) {
      // The others fill their caches meanwhile.
      renewal.publish({ ...renewal.published, phase: 'leaving' });
      await this.changes.prepare(EMPTY_VIEW, prepareMs).catch((error: unknown) => onError?.(error));
    }
    lifetime.stop();
    // A turn that is under way would take the group's Lease again.
    await loops;
    if (lifetime.lost.aborted) return;
    const last: Publication = { ...renewal.published, phase: 'leaving', view: EMPTY_VIEW };
    await this.updater.narrow(last);
    fence.end('own');
    if (!await lifetime.tried(this.lease.release(last))) return;
    await lifetime.tried(this.group.release(async () => {
      const isListed = (await this.list.read(renewal.published)) !== undefined;
      return !isListed || this.list.roster.hasOthers;
    }));
  }

  private async groupTurn(): Promise<void> {
    const { standstill, onOtherController } = this.options;
    if (standstill?.() !== undefined) return;
    await this.lifetime.tried(this.group.turn().then((holder) => {
      if (holder !== this.otherController) onOtherController?.(holder);
      this.otherController = holder;
    }));
  }

  private async listTurn(): Promise<void> {
    const { claims, group, list, renewal } = this;
    const { serial } = claims;
    const { published, isPublishing } = renewal;
    // A list proves nothing before it is known who has held the Lease of the group: that member's own Lease may have been deleted.
    const { isKnown, otherMembers } = group;
    const isOwnListed = await list.read(published, otherMembers);
    if (isOwnListed === undefined || this.lifetime.hasEnded) return;
    if (isOwnListed && isKnown) claims.prove(serial, list.roster.rivals());
    if (!isPublishing) this.changes.begin();
    this.changes.foresee();
    void this.updater.update();
    if (this.options.ownsCluster()) await list.collectGarbage();
  }
}
