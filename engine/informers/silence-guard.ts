import type { Clock } from '../clock';

/** Aborts a watch that is silent for too long, or when the parent signal aborts. */
export class SilenceGuard {
  public expired = false;

  private last: number;
  private readonly controller = new AbortController();
  private readonly follow: () => void;
  private cancel?: () => void;

  public constructor(private readonly clock: Clock, private limit: number, private readonly parent: AbortSignal) {
    this.last = clock.now();
    this.follow = () => this.controller.abort(parent.reason);
    parent.addEventListener('abort', this.follow, { once: true });
    if (parent.aborted) this.follow();
    this.wait();
  }

  public get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Records an event; from now on `limit` is the longest permitted silence. */
  public heard(limit?: number): void {
    this.last = this.clock.now();
    if (limit === undefined || limit >= this.limit) return;
    this.limit = limit;
    this.wait();
  }

  public stop(): void {
    this.cancel?.();
    this.parent.removeEventListener('abort', this.follow);
    // Releases the connection when the loop over its events was left early.
    this.controller.abort();
  }

  private wait(): void {
    this.cancel?.();
    this.cancel = this.clock.schedule(Math.max(this.last + this.limit - this.clock.now(), 1), () => {
      if (this.clock.now() - this.last < this.limit) return this.wait();
      this.expired = true;
      this.controller.abort(new Error('silent for too long'));
    });
  }
}
