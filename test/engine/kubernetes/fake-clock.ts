import type { Clock } from '../../../engine/clock';

/** Time that passes only when the test advances it, and chance from a fixed sequence. */
export class FakeClock implements Clock {
  private time = 1_000_000;
  private sequence = 0;
  private readonly timers = new Map<number, { readonly due: number; readonly callback: () => void }>();

  public constructor(private readonly chance: () => number = () => 0.5) {}

  public now(): number {
    return this.time;
  }

  public random(): number {
    return this.chance();
  }

  public schedule(milliseconds: number, callback: () => void): () => void {
    const id = ++this.sequence;
    this.timers.set(id, { due: this.time + milliseconds, callback });
    return () => this.timers.delete(id);
  }

  public sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = this.schedule(milliseconds, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      }, { once: true });
    });
  }

  public get pending(): number {
    return this.timers.size;
  }

  /** Lets time pass, timer by timer, and everything that follows from each happen. */
  public async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settle();
      const [id, next] = [...this.timers].sort(([a, x], [b, y]) => x.due - y.due || a - b)[0] ?? [];
      if (id === undefined || next!.due > end) break;
      this.timers.delete(id);
      this.time = Math.max(this.time, next!.due);
      next!.callback();
    }
    this.time = end;
    await settle();
  }
}

/** Lets all promises that can go on go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
