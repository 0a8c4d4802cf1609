interface Waiting {
  readonly host: string;
  begin(): void;
}

/**
 * Places for large bodies: so many are read at a time, the rest of the others waits at its sender. Without them, as many bodies as there
 * are reconciles would be in memory at once, each as large as one may be.
 */
export class LargeBodies {
  private readonly taken = new Map<string, number>();
  private count = 0;
  private waiting: Waiting[] = [];

  /** `perHost`: a host that sends slowly keeps others from these places only. */
  public constructor(private readonly places: number, private readonly perHost = places) {}

  /** Waits for a place; the answer gives it back. Rejects with the signal's reason. */
  public async enter(host: string, signal?: AbortSignal): Promise<() => void> {
    if (!this.isFree(host)) await this.turn(host, signal);
    else this.take(host);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.leave(host);
    };
  }

  private turn(host: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        reject(signal!.reason);
      };
      const entry: Waiting = {
        host,
        begin: () => {
          signal?.removeEventListener('abort', onAbort);
          this.take(host);
          resolve();
        },
      };
      this.waiting.push(entry);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  private isFree(host: string): boolean {
    return this.count < this.places && (this.taken.get(host) ?? 0) < this.perHost;
  }

  private take(host: string): void {
    this.count += 1;
    this.taken.set(host, (this.taken.get(host) ?? 0) + 1);
  }

  private leave(host: string): void {
    this.count -= 1;
    const left = this.taken.get(host)! - 1;
    if (left > 0) this.taken.set(host, left);
    else this.taken.delete(host);
    const next = this.waiting.find((entry) => this.isFree(entry.host));
    if (!next) return;
    this.waiting = this.waiting.filter((entry) => entry !== next);
    next.begin();
  }
}
