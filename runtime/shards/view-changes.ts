import { ChangeDecider, type Change, type Position } from './decide';
import type { LeaseRenewal } from './lease-renewal';
import type { MemberLease } from './member-lease';
import type { MemberLifetime } from './member-lifetime';
import type { ShardMemberOptions } from './member-options';
import type { OwnershipUpdater } from './ownership-updater';
import { inBoundedTime } from './preparation';
import type { Roster } from './roster';
import { PREPARE_MS } from './timing';
import type { View } from './view';

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

  /**
   * @param wantsSplit namespaces to split by owner tree, published with the next change
   * @param onMade called when a change is made: a list has to prove what is owned
   */
  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'identity' | 'time' | 'prepare' | 'onError'>,
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

  public async prepare(next: View, limitMs = PREPARE_MS): Promise<void> {
    const { updater } = this.parts;
    const { time, prepare } = this.options;
    updater.next = next;
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
