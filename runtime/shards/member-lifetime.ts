import { LeaseTakenError } from './member-lease';
import type { ShardMemberOptions } from './member-options';
import { inTime, isConflict, isNotFound } from './requests';
import { ShardLostError } from './shard-lost-error';
import { REQUEST_MS } from './timing';
import { Waker } from './waker';

/** The lifetime of a member: its loops run, and its requests are retried, until it stops or is lost. */
export class MemberLifetime {
  private readonly lostController = new AbortController();
  private readonly leavingController = new AbortController();
  private readonly wakers: Waker[] = [];
  private isStopped = false;

  /** @param onLost called before `lost` aborts */
  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'identity' | 'time' | 'onError'>,
    private readonly onLost: () => void,
  ) {}

  /** Aborts with a ShardLostError. */
  public get lost(): AbortSignal {
    return this.lostController.signal;
  }

  /** Aborts when the member begins to leave: its views change no more, and it renews its Lease until its work has ended. */
  public get leaving(): AbortSignal {
    return this.leavingController.signal;
  }

  public get hasEnded(): boolean {
    return this.isStopped || this.lost.aborted;
  }

  public leave(): void {
    this.leavingController.abort(new Error('released'));
  }

  /** Ends the loops. */
  public stop(): void {
    this.isStopped = true;
    for (const waker of this.wakers) waker.wake();
  }

  public lose(why: string): void {
    this.onLost();
    this.lostController.abort(new ShardLostError(this.options.identity, why));
  }

  /** For the pauses of a loop, which end with the lifetime. */
  public waker(): Waker {
    const waker = new Waker();
    this.wakers.push(waker);
    return waker;
  }

  /** @param pauseMs by up to a tenth shorter or longer: replicas that started together do not stay together */
  public async repeat(act: () => Promise<void>, pauseMs: () => number, waker: Waker): Promise<void> {
    const { time } = this.options;
    while (!this.hasEnded) {
      await act();
      if (!this.hasEnded) await waker.sleep(time, pauseMs() * (0.9 + 0.2 * time.random()));
    }
  }

  /** Whether a request has succeeded in time. */
  public async tried(work: Promise<unknown>, limitMs = REQUEST_MS): Promise<boolean> {
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
