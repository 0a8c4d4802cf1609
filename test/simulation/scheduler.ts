interface Planned {
  readonly due: number;
  readonly order: number;
  act: (() => void) | undefined;
}

/** Simulated time: what is planned happens one after the other, in one order, and all that follows from it before the next. */
export class Scheduler {
  /** Milliseconds since the beginning; never goes back. */
  public time = 0;
  public happened = 0;
  private order = 0;
  private planned: Planned[] = [];

  /** Plans something; the answer takes it back. */
  public after(milliseconds: number, act: () => void): () => void {
    const entry: Planned = { due: this.time + Math.max(milliseconds, 0), order: (this.order += 1), act };
    let [low, high] = [0, this.planned.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      // The last entry is the next.
      if (this.planned[middle]!.due > entry.due) low = middle + 1;
      else high = middle;
    }
    this.planned.splice(low, 0, entry);
    return () => {
      entry.act = undefined;
    };
  }

  /** Lets so much time pass. `most`: of what may happen in it; more is a simulation that does not come to rest. */
  public async advance(milliseconds: number, most = 400_000): Promise<void> {
    const end = this.time + milliseconds;
    const bound = this.happened + most;
    await drained();
    while (this.planned.length > 0 && this.planned[this.planned.length - 1]!.due <= end) {
      const entry = this.planned.pop()!;
      if (!entry.act) continue;
      this.time = entry.due;
      entry.act();
      this.happened += 1;
      if (this.happened > bound) throw new Error(`more than ${most} things happen in ${milliseconds} ms: something goes round in cycles`);
      await drained();
    }
    this.time = end;
  }
}

/** All promises that can go on have gone on: between two macrotasks Node empties both of its queues. */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
