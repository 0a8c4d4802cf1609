import type { ElectionTime } from '../leader';

/** A pause of a loop that others can end. */
export class Waker {
  private awake = new AbortController();

  /** Resolves after the time, or when woken, also if that was before. */
  public async sleep(time: Pick<ElectionTime, 'sleep'>, milliseconds: number): Promise<void> {
    await time.sleep(milliseconds, this.awake.signal).catch(() => undefined);
    if (this.awake.signal.aborted) this.awake = new AbortController();
  }

  public wake(): void {
    this.awake.abort(new Error('woken'));
  }
}
