/** Work that is in line; more is refused. */
const MOST_IN_LINE = 50;

/** Too much work is in line already. */
export class TooMuchWork extends Error {}

/** Runs work of the main thread one after the other, and pauses after each, so that it takes at most a part of the time. */
export class PacedWork {
  private line: Promise<unknown> = Promise.resolve();
  private count = 0;

  /** @param mostLoad the part, above 0 and at most 1 */
  public constructor(private readonly mostLoad: number) {}

  /** @throws TooMuchWork */
  public async run<T>(work: () => T): Promise<T> {
    if (this.count >= MOST_IN_LINE) throw new TooMuchWork();
    this.count += 1;
    let pauseMs = 0;
    const result = this.line.then(() => {
      const startedAt = performance.now();
      try {
        return work();
      } finally {
        pauseMs = (performance.now() - startedAt) * (1 / this.mostLoad - 1);
      }
    });
    const ended = () => new Promise<void>((resolve) => {
      this.count -= 1;
      setTimeout(resolve, pauseMs);
    });
    this.line = result.then(ended, ended);
    return result;
  }
}
