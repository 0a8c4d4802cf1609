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

/** One life of the controller's process. Once it is dead nothing in it goes on: no timer fires, no answer arrives. */
export class Process implements Clock {
  public alive = true;
  private readonly death = new AbortController();
  private stopped = false;
  private readonly due: (() => void)[] = [];

  public constructor(
    public readonly number: number,
    private readonly scheduler: Scheduler,
    private readonly wall: WallClock,
    private readonly chance: Random,
  ) {}

  public get signal(): AbortSignal {
    return this.death.signal;
  }

  public die(): void {
    this.alive = false;
    this.death.abort(new Error('killed'));
  }

  /** Milliseconds that no clock that is set changes. */
  public elapsed(): number {
    return this.scheduler.time;
  }

  /**
   * As SIGSTOP, and SIGCONT after the time: what is due meanwhile, and every answer, comes in the same moment afterwards, in its order.
   * Node ends all promises that can go on between two timers: the process takes in one answer before the next timer fires.
   */
  public pause(milliseconds: number): void {
    this.stopped = true;
    this.scheduler.after(milliseconds, () => {
      this.stopped = false;
      this.due.splice(0).forEach((callback) => this.schedule(0, callback));
    });
  }

  /** By how much its clock is wrong. */
  public get clockOffset(): number {
    return this.wall.offset;
  }

  public now(): number {
    return this.wall.now();
  }

  public random(): number {
    return this.chance.next();
  }

  public schedule(milliseconds: number, callback: () => void): () => void {
    let isWanted = true;
    const act = () => {
      if (isWanted && this.alive) callback();
    };
    const cancel = this.scheduler.after(milliseconds, () => {
      if (this.stopped) this.due.push(act);
      else act();
    });
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
