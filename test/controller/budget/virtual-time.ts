import type { Clock } from '../../../engine/clock';

/** Time that passes as soon as nothing else happens. */
export class VirtualTime implements Clock {
  private time = 1_000_000;
  private timers: { due: number; number: number; callback: () => void }[] = [];
  private count = 0;
  private seed = 1;

  public now(): number {
    return this.time;
  }

  public random(): number {
    this.seed = (this.seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.seed / 2 ** 31;
  }

  public schedule(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.time + Math.max(milliseconds, 0), number: (this.count += 1), callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  public sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.schedule(milliseconds, resolve));
  }

  /** Runs until nothing is left to happen, or until a time. */
  public async run(until = Infinity): Promise<void> {
    for (let steps = 0; steps < 1_000_000; steps += 1) {
      // As many turns as a chain of promises in the code under test is long.
      for (let i = 0; i < 20; i += 1) await Promise.resolve();
      const none = { due: Infinity, number: 0, callback: () => undefined as void };
      const next = this.timers.reduce((a, b) => (b.due < a.due || (b.due === a.due && b.number < a.number) ? b : a), none);
      if (next.due === Infinity || next.due > until) {
        if (until !== Infinity) this.time = Math.max(this.time, until);
        return;
      }
      this.timers = this.timers.filter((other) => other !== next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    throw new Error('time does not end');
  }
}
