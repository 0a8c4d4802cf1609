import type { SharedState } from './shared-state';

/**
 * Time that the main thread may be busy without a heartbeat. After it /healthz fails, so that the kubelet restarts the container, and the
 * Lease is no longer renewed, so that another replica takes over.
 */
export const MAIN_THREAD_TIMEOUT_MS = 30_000;
/** After this time without a heartbeat the pod is not ready, since webhooks are not answered either. */
export const MAIN_THREAD_READY_MS = 10_000;

/** Whether the main thread is alive, as seen from another one. */
export class Heartbeat {
  public constructor(private readonly state: Pick<SharedState, 'heartbeatMs'>, private readonly elapsed: () => number) {}

  /** Why the process is not live; undefined: it is live. */
  public get notLive(): string | undefined {
    return this.silentFor(MAIN_THREAD_TIMEOUT_MS);
  }

  /** Why the process cannot be ready; undefined: the heartbeat does not prevent it. */
  public get notReady(): string | undefined {
    return this.silentFor(MAIN_THREAD_READY_MS);
  }

  private silentFor(limitMs: number): string | undefined {
    const silentMs = this.elapsed() - this.state.heartbeatMs;
    return silentMs > limitMs ? `the main thread has not turned its event loop for ${Math.round(silentMs / 1_000)} s` : undefined;
  }
}
