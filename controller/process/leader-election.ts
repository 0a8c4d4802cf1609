import type { RightToWrite } from './right-to-write';
import { LEASE_NAME, type Leadership } from '../../runtime/leader';
import type { Metrics } from '../metrics';
import type { Supervision } from '../supervisor';

/** The leader election of this process: only the leader writes. Without an election the process may always write. */
export class LeaderElection implements RightToWrite {
  private leadership: Leadership | undefined;

  public constructor(private readonly isEnabled: boolean, private readonly metrics: Pick<Metrics, 'leading'>) {}

  /** Whether this process may change anything in Azure now. */
  public get mayWrite(): boolean {
    return !this.isEnabled || this.leadership?.isCurrent === true;
  }

  public get mayWriteForCluster(): boolean {
    return this.mayWrite;
  }

  /** Aborts when the leadership is lost; undefined: this process has not become the leader. */
  public get lost(): AbortSignal | undefined {
    return this.leadership?.lost;
  }

  /** Resolves when this process leads, or at once without an election. */
  public async lead(supervision: Pick<Supervision, 'lead'>, signal: AbortSignal): Promise<void> {
    if (!this.isEnabled) return;
    this.metrics.leading(LEASE_NAME, false);
    const leadership = await supervision.lead(signal);
    this.metrics.leading(LEASE_NAME, true);
    leadership.lost.addEventListener('abort', () => this.metrics.leading(LEASE_NAME, false), { once: true });
    this.leadership = leadership;
  }

  /** Lets another replica lead at once. */
  public async release(): Promise<void> {
    await this.leadership?.release();
    this.metrics.leading(LEASE_NAME, false);
  }
}
