import { ChangeDecider, foreseen, type Change, type Position } from './decide';
import type { LeaseRenewal } from './lease-renewal';
import type { MemberLease } from './member-lease';
import type { MemberLifetime } from './member-lifetime';
import type { ShardMemberOptions } from './member-options';
import type { OwnershipUpdater } from './ownership-updater';
import { inBoundedTime } from './preparation';
import type { Roster } from './roster';
import { PREPARE_MS } from './timing';
import { sameView, type View } from './view';

interface Parts {
  readonly lifetime: MemberLifetime;
  readonly lease: MemberLease;
  readonly roster: Roster;
  readonly updater: OwnershipUpdater;
  readonly renewal: LeaseRenewal;
}

/** Changes the member's view, one change at a time. */
export class ViewChanges {
  private readonly decider = new ChangeDecider();
  private changing: Promise<void> | undefined;
  private expected: View | undefined;

  /**
   * @param wantsSplit namespaces to split by owner tree, published with the next change
   * @param onMade called when a change is made: a list has to prove what is owned
   */
  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'identity' | 'time' | 'prepare' | 'expect' | 'onError'>,
    private readonly parts: Parts,
    public wantsSplit: readonly string[],
    private readonly onMade: () => void,
  ) {}

  /** Whether a change is due or being made, or others do not yet agree: the next list should come soon. */
  public get isUnsettled(): boolean {
    return this.decider.isUnsettled(this.position, this.parts.roster.live()) || this.changing !== undefined;
  }

  /** Begins the change that the last list makes due, unless one is being made. */
  public begin(): void {
    const { lifetime, roster } = this.parts;
    if (this.changing || lifetime.leaving.aborted) return;
    const change = this.decider.decide(this.position, roster.live(), this.options.time.elapsed(), roster.missing());
    if (!change) return;
    this.changing = this.make(change)
      .catch((error: unknown) => this.options.onError?.(error))
      .finally(() => {
        this.changing = undefined;
      });
  }

  /** After a list: tells the host which view comes if the members that seem to be gone are, so that it fills its caches meanwhile. */
  public foresee(): void {
    const { lifetime, roster } = this.parts;
    // A change that is being made is more than an expectation.
    if (this.changing || lifetime.leaving.aborted) return;
    const live = roster.live();
    // A view that changes for another cause is prepared at once. An expected one stays so until then, when its member has ended.
    const isLooking = this.expected !== undefined || live.some(({ isSuspect }) => isSuspect);
    const next = isLooking ? foreseen(this.position, live, roster.missing()) : undefined;
    if (next === this.expected || (next && this.expected && sameView(next, this.expected))) return;
    this.expected = next;
    this.options.expect?.(next);
  }

  public async prepare(next: View, limitMs = PREPARE_MS): Promise<void> {
    const { updater } = this.parts;
    const { time, prepare } = this.options;
    updater.next = next;
    this.expected = undefined;
    await updater.update();
    await inBoundedTime(time, limitMs, (signal) => prepare(next, signal));
  }

  private get position(): Position {
    const { renewal: { published }, lease: { acquireTime } } = this.parts;
    return { member: this.options.identity, acquireTime, published, wantsSplit: this.wantsSplit };
  }

  /** The order is the protocol: the host is prepared, then the view is published, then a list proves what is owned. */
  private async make({ publication, prepare }: Change): Promise<void> {
    const { lifetime, renewal, updater } = this.parts;
    try {
      if (prepare) await this.prepare(prepare);
      if (lifetime.leaving.aborted || lifetime.hasEnded) return;
      renewal.publish(publication);
      await renewal.isAcknowledged(publication);
    } finally {
      updater.next = undefined;
    }
    this.onMade();
  }
}
