import type { Random } from './random';
import type { Scheduler } from './scheduler';
import type { Clock } from '../../engine/clock';

const BEGINNING = Date.parse('2026-01-01T00:00:00Z');

/** A wall clock that may be set; timers follow the time that really passes. */
export class WallClock {
  public offset = 0;

  public constructor(private readonly scheduler: Scheduler) {}

  public now(): number {
    return BEGINNING + this.scheduler.time + this.offset;
  }

  /** Azure's own clock, which is never set. */
  public trueNow(): number {
    return BEGINNING + this.scheduler.time;
  }
}

/** The peer that a process cannot reach: the API server, Azure, or the API server's answers, while its requests arrive. */
export type Cut = 'kube' | 'azure' | 'answers';

/** One life of the controller's process. Once it is dead nothing in it goes on: no timer fires, no answer arrives. */
export class Process implements Clock {
  public alive = true;
  /** By how much its own wall clock differs from that of the others. */
  public skew = 0;
  public readonly cut: Set<Cut>;
  private readonly death = new AbortController();
  private stopped = false;
  private stoppedAt = 0;
  private readonly due: (() => void)[] = [];
  /** Time for which the monotonic clock stood still. */
  private stoodStill = 0;
  private suspendedAt: number | undefined;

  /** @param main of a second thread of the same process: it has the same clocks and the same network, and stops by itself */
  public constructor(
    public readonly number: number,
    private readonly scheduler: Scheduler,
    private readonly wall: WallClock,
    private readonly chance: Random,
    private readonly main?: Process,
  ) {
    this.cut = main?.cut ?? new Set();
  }

  public get signal(): AbortSignal {
    return this.death.signal;
  }

  public die(): void {
    this.alive = false;
    this.death.abort(new Error('killed'));
  }

  /** Milliseconds that no clock that is set changes. */
  public elapsed(): number {
    return this.main ? this.main.elapsed() : (this.suspendedAt ?? this.scheduler.time) - this.stoodStill;
  }

  /** Milliseconds since the beginning, by no clock of the process. */
  public get trueTime(): number {
    return this.scheduler.time;
  }

  /** For how long it stands still already. */
  public get stoppedFor(): number {
    return this.stopped ? this.scheduler.time - this.stoppedAt : 0;
  }

  /**
   * As SIGSTOP, and SIGCONT after the time: what is due meanwhile, and every answer, comes in the same moment afterwards, in its order.
   * Node ends all promises that can go on between two timers: the process takes in one answer before the next timer fires.
   */
  public pause(milliseconds: number): void {
    if (!this.stopped) this.stoppedAt = this.scheduler.time;
    this.stopped = true;
    this.scheduler.after(milliseconds, () => {
      this.stopped = false;
      this.due.splice(0).forEach((callback) => this.schedule(0, callback));
    });
  }

  /** The machine sleeps, and its monotonic clock with it. To be called with `pause`, for the main thread. */
  public suspend(milliseconds: number): void {
    if (this.suspendedAt !== undefined) return;
    this.suspendedAt = this.scheduler.time;
    this.scheduler.after(milliseconds, () => {
      this.stoodStill += this.scheduler.time - this.suspendedAt!;
      this.suspendedAt = undefined;
    });
  }

  public get isSuspended(): boolean {
    return this.suspendedAt !== undefined;
  }

  /** By how much its clock is wrong. */
  public get clockOffset(): number {
    return this.main ? this.main.clockOffset : this.wall.offset + this.skew;
  }

  public now(): number {
    return this.main ? this.main.now() : this.wall.now() + this.skew;
  }

  public random(): number {
    return this.chance.next();
  }

  public schedule(milliseconds: number, callback: () => void): () => void {
    let isWanted = true;
    const due = this.elapsed() + Math.max(milliseconds, 0);
    const act = () => {
      if (isWanted && this.alive) callback();
    };
    const fire = () => {
      // Timers follow the monotonic clock, which may have stood still.
      const left = due - this.elapsed();
      if (this.stopped) this.due.push(fire);
      else if (left >= 1) cancel = this.scheduler.after(left, fire);
      else act();
    };
    let cancel = this.scheduler.after(milliseconds, fire);
    return () => {
      isWanted = false;
      cancel();
    };
  }

  public sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const stop = () => {
        cancel();
        reject(signal!.reason as Error);
      };
      const cancel = this.schedule(milliseconds, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Messages that have left the process travel on while the process stands still. */
  public onTheWay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.after(milliseconds, () => {
        if (this.alive) resolve();
      });
    });
  }

  /** Goes on only as long as the process lives. */
  public async goesOn(): Promise<void> {
    if (!this.alive) await new Promise(() => undefined);
  }
}
