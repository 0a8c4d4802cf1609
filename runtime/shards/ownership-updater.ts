import type { Claims } from './claims';
import type { ShardMemberOptions } from './member-options';
import type { Publication } from './publication';
import type { Snapshot } from './snapshot';
import { SNAPSHOT_MS } from './timing';
import type { View } from './view';

/** Gives the ownership of the process its snapshots, and makes the old ones void. */
export class OwnershipUpdater {
  /** The view that is being prepared. Part of the next snapshot. */
  public next: View | undefined;
  /** Of the next snapshot. */
  private epoch = 0;
  /** Content of the last snapshot, and the terms in which it was given. */
  private last: readonly unknown[] = [];

  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'identity' | 'fence' | 'time' | 'onSnapshot' | 'onError'>,
    private readonly claims: Claims,
  ) {}

  /** Gives a snapshot to the ownership, if anything has changed. Resolves when the ownership has it, or hangs. */
  public async update(): Promise<void> {
    const { epoch, next } = this;
    const { identity, fence, time, onSnapshot, onError } = this.options;
    const { proofs, views } = this.claims.snapshot();
    const current = [epoch, proofs, views, next, fence.isCurrent('own'), fence.isCurrent('group')];
    if (current.every((part, index) => part === this.last[index])) return;
    this.last = current;
    const snapshot: Snapshot = { member: identity, epoch, proofs, views, ...(next ? { next } : {}) };
    const taken = new AbortController();
    const hangs = time.sleep(SNAPSHOT_MS, taken.signal).catch(() => undefined);
    await Promise.race([onSnapshot(snapshot).catch((error: unknown) => onError?.(error)), hangs]);
    taken.abort(new Error('taken'));
  }

  /** Before a publication is sent that takes something away: from now on the process does not own that. */
  public async narrow(publication: Publication): Promise<void> {
    if (!this.claims.narrows(publication.view)) return;
    this.claims.sending(publication);
    this.epoch += 1;
    await this.update();
    // Only now: with the new snapshot the process never stops to own what it keeps.
    this.options.fence.epoch = this.epoch;
  }

  /** All snapshots so far allow nothing any more. */
  public revoke(): void {
    this.options.fence.epoch = this.epoch += 1;
  }
}
