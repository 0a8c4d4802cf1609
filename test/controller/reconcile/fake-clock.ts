import type { Clock } from '../../../engine/clock';

/** Time that passes only when the test advances it. */
export class FakeClock implements Clock {
  /** The random number, uniform in [0, 1). */
  public chance = 0.5;
  private time = Date.parse('2026-01-01T00:00:00Z');
  private timers: { due: number; callback: () => void }[] = [];

  public now(): number {
    return this.time;
  }

  public random(): number {
    return this.chance;
  }

  public sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.schedule(milliseconds, resolve));
  }

  public schedule(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.time + milliseconds, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** When the next timer is due. */
  public get next(): number | undefined {
    return this.timers.length === 0 ? undefined : Math.min(...this.timers.map(({ due }) => due));
  }

  /** Lets time pass up to a moment, timer by timer, and what they cause between them. */
  public async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settled();
      const { next } = this;
      if (next === undefined || next > end) break;
      this.time = Math.max(next, this.time);
      const due = this.timers.filter((timer) => timer.due <= this.time);
      this.timers = this.timers.filter((timer) => timer.due > this.time);
      due.forEach(({ callback }) => callback());
    }
    this.time = end;
    await settled();
  }
}

/** Until nothing happens any more without time passing. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 25; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
