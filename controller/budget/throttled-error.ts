/**
 * A request does not fit into Azure's limits for now. The reconcile frees its worker instead of waiting: its signal aborts with this
 * error, as it does when the process ends, and the reconcile starts again when the limits have room.
 */
export class ThrottledError extends Error {
  public constructor(
    /** The limit, for logs. */
    public readonly limit: string,
    /** Milliseconds after which a retry may succeed. */
    public readonly retryIn: number,
    /** Whether it has waited for its turn in vain, or would have to wait for longer than a reconcile should. */
    public readonly isLong = false,
  ) {
    super(`throttled: ${limit} has no room for a request now`);
    this.name = 'ThrottledError';
  }
}
