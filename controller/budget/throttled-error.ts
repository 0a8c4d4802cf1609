/**
 * A request does not fit into Azure's limits for now, so the reconcile that wanted to send it gives its worker back instead of waiting: it was told
 * so by its signal, as by the end of the process, and begins anew when the limits have room.
 */
export class ThrottledError extends Error {
  public constructor(
    /** Which limit, for logs. */
    public readonly limit: string,
    /** Milliseconds after which it may be worth a try. */
    public readonly retryIn: number,
  ) {
    super(`held back: ${limit} has no room for a request now`);
    this.name = 'HeldBackError';
  }
}
