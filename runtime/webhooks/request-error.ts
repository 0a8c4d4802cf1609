/** A request that is answered with an HTTP status and a text that the API server shows to its user. */
export class RequestError extends Error {
  /** @param retryAfterSeconds the API server retries after this time, within its own deadline */
  public constructor(public readonly status: number, message: string, public readonly retryAfterSeconds?: number) {
    super(message);
    this.name = 'RequestError';
  }
}
