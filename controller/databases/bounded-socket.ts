import { Socket } from 'node:net';

/**
 * Of the answer to a statement, and of a login. The drivers have no limit of their own: their buffers grow as long as a message goes on,
 * and rows are kept until the last one (https://github.com/brianc/node-postgres/issues/2336). The statements about users read two thousand
 * short rows at most.
 */
export const MAX_RECEIVED_BYTES = 4 * 1024 * 1024;
/** Encryption reads past the socket, which then tells only how much has come: some megabytes at most from one look to the next. */
const LOOK_MS = 10;

/** A socket for a driver, which ends when more has come than may. Its owner connects and destroys it. */
export class BoundedSocket {
  public readonly socket = new Socket();
  private before = 0;

  public constructor() {
    const timer = setInterval(() => {
      if (this.socket.bytesRead - this.before <= MAX_RECEIVED_BYTES) return;
      clearInterval(timer);
      this.socket.destroy(new Error(`the server sent more than ${MAX_RECEIVED_BYTES} bytes, which no statement about users asks for`));
    }, LOOK_MS);
    timer.unref();
    this.socket.once('close', () => clearInterval(timer));
  }

  /** The login, or the answer to the last statement, is whole. */
  public startStatement(): void {
    this.before = this.socket.bytesRead;
  }
}
