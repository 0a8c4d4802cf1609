import type { Claims } from './claims';
import { momentOf } from './fence';
import type { MemberLease } from './member-lease';
import type { MemberLifetime } from './member-lifetime';
import type { ShardMemberOptions } from './member-options';
import type { OwnershipUpdater } from './ownership-updater';
import type { Publication } from './publication';
import { REQUEST_MS, TURN_MS } from './timing';
import type { Waker } from './waker';

interface Parts {
  readonly lifetime: MemberLifetime;
  readonly lease: MemberLease;
  readonly claims: Claims;
  readonly updater: OwnershipUpdater;
}

const NOT_RENEWED = 'its Lease could not be renewed within its term';

/** Writes the member's own Lease: it renews the term, and publishes what the member claims. */
export class LeaseRenewal {
  private readonly waker: Waker;
  /** The publication of the next write. */
  private wanted: Publication;
  private onPublished?: () => void;

  /**
   * @param published the last publication that the API server has acknowledged; at first, that of the Lease to create
   * @param onDoubt called when the term was in doubt: all lists so far prove nothing any more
   */
  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'time' | 'fence' | 'standstill'>,
    private readonly parts: Parts,
    public published: Publication,
    private readonly onDoubt: () => void,
  ) {
    this.wanted = published;
    this.waker = parts.lifetime.waker();
  }

  /** Whether a publication is not acknowledged yet. */
  public get isPublishing(): boolean {
    return this.wanted !== this.published;
  }

  /** Resolves when the Lease is there. Rejects only when the signal aborts. */
  public async create(signal: AbortSignal): Promise<void> {
    const { time, fence, standstill } = this.options;
    const { lifetime, lease } = this.parts;
    for (;;) {
      signal.throwIfAborted();
      const sent = momentOf(time);
      if (standstill?.() === undefined && await lifetime.tried(lease.create(this.published))) {
        fence.renew('own', sent);
        return;
      }
      await time.sleep(TURN_MS * (0.5 + time.random()), signal);
    }
  }

  /** The loop: renews until the lifetime ends, or ends it with the term. */
  public async repeat(): Promise<void> {
    const { fence, standstill, time } = this.options;
    const { lifetime } = this.parts;
    let pause = TURN_MS;
    while (!lifetime.hasEnded) {
      // Never asleep beyond the end of the term: the work has to end then.
      await this.waker.sleep(time, Math.max(Math.min(pause, fence.left('own')), 0));
      if (lifetime.hasEnded) return;
      const why = standstill?.();
      if (fence.hasEnded('own')) return lifetime.lose(why ?? NOT_RENEWED);
      if (why === undefined) pause = (await this.renew()) ? TURN_MS : TURN_MS / 2;
    }
  }

  /** Writes the publication from now on, and at once. */
  public publish(publication: Publication): void {
    this.wanted = publication;
    this.waker.wake();
  }

  /** Resolves when the publication is acknowledged, or when the member leaves or is lost. */
  public isAcknowledged(publication: Publication): Promise<void> {
    const { leaving, lost } = this.parts.lifetime;
    return new Promise((resolve) => {
      if (leaving.aborted || lost.aborted) return resolve();
      // By hand rather than AbortSignal.any: Node keeps a composite signal with a listener, and all that the listener refers to, until it
      // aborts.
      const end = () => {
        for (const signal of [leaving, lost]) signal.removeEventListener('abort', end);
        resolve();
      };
      for (const signal of [leaving, lost]) signal.addEventListener('abort', end);
      this.onPublished = () => this.published === publication && end();
    });
  }

  private async renew(): Promise<boolean> {
    const { time, fence } = this.options;
    const { lifetime, lease, claims, updater } = this.parts;
    const publication = this.wanted;
    await updater.narrow(publication);
    const sent = momentOf(time);
    const isWritten = await lifetime.tried(lease.write(publication), Math.min(REQUEST_MS, fence.left('own')));
    if (!isWritten) return false;
    if (fence.hasEnded('own')) {
      lifetime.lose(NOT_RENEWED);
      return false;
    }
    if (!fence.isCurrent('own')) {
      // Suspended, or a clock was set: others may have counted this process as dead, and have taken what it owns.
      claims.forget();
      updater.revoke();
      this.onDoubt();
    }
    fence.renew('own', sent);
    this.published = publication;
    claims.acknowledged(publication);
    this.onPublished?.();
    return true;
  }
}
