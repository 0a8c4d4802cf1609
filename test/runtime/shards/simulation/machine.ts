import type { ElectionTime } from '../../../../runtime/leader';
import type { Random } from '../../../simulation/random';
import type { Scheduler } from '../../../simulation/scheduler';

/** The clocks and the fate of one process: it can be frozen, its machine suspended, its wall clock set, and it can be killed. */
export class Machine {
  public isAlive = true;
  private frozenUntil = 0;
  /** Time for which the monotonic clock stood still. */
  private stoodStill = 0;
  private suspendedAt: number | undefined;

  public constructor(private readonly scheduler: Scheduler, private readonly random: Random, private wallOffset: number) {}

  public get isRunning(): boolean {
    return this.isAlive && this.scheduler.time >= this.frozenUntil;
  }

  /** All threads stop; the clocks go on. */
  public freeze(milliseconds: number): void {
    this.frozenUntil = Math.max(this.frozenUntil, this.scheduler.time + milliseconds);
  }

  /** The machine stops, and its monotonic clock with it. */
  public suspend(milliseconds: number): void {
    if (this.suspendedAt !== undefined) return;
    this.freeze(milliseconds);
    this.suspendedAt = this.scheduler.time;
    this.scheduler.after(milliseconds, () => {
      this.stoodStill += this.scheduler.time - this.suspendedAt!;
      this.suspendedAt = undefined;
    });
  }

  public jump(milliseconds: number): void {
    this.wallOffset += milliseconds;
  }

  public kill(): void {
    this.isAlive = false;
  }

  /** Runs something in the process, as soon as it runs. */
  public readonly deliver = (act: () => void): void => {
    if (!this.isAlive) return;
    if (this.isRunning) act();
    // Some milliseconds later, so that what has come meanwhile comes in any order.
    else this.scheduler.after(this.frozenUntil - this.scheduler.time + this.random.between(0, 20), () => this.deliver(act));
  };

  public time(): ElectionTime {
    const { scheduler } = this;
    const elapsed = () => 1_000_000 + (this.suspendedAt ?? scheduler.time) - this.stoodStill;
    return {
      now: () => 1_700_000_000_000 + scheduler.time + this.wallOffset,
      elapsed,
      random: () => this.random.next(),
      sleep: (milliseconds, signal) => new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const cancel = this.after(milliseconds, () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        });
        const stop = () => {
          cancel();
          reject(signal!.reason as Error);
        };
        signal?.addEventListener('abort', stop, { once: true });
      }),
    };
  }

  /** A timer of the process. The answer takes it back. */
  public after(milliseconds: number, act: () => void): () => void {
    let isOver = false;
    const cancel = this.scheduler.after(milliseconds, () => this.deliver(() => isOver || act()));
    return () => {
      isOver = true;
      cancel();
    };
  }
}
