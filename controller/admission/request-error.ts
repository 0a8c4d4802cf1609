/** A request that is answered with a status of HTTP and a text that the API server shows to its user. */
export class RequestError extends Error {
  /** @param retryAfterSeconds the API server tries again after so long, as long as its own deadline allows */
  public constructor(public readonly status: number, message: string, public readonly retryAfterSeconds?: number) {
    super(message);
    this.name = 'RequestError';
  }
}
