import { Socket } from 'node:net';

/**
 * Of all answers in a session. The drivers have no limit of their own: their buffers grow as long as a message goes on, and rows are kept
 * until the last one (https://github.com/brianc/node-postgres/issues/2336). The statements about users read some hundred short rows at most.
 */
export const MAX_RECEIVED_BYTES = 16 * 1024 * 1024;
/** Encryption reads past the socket, which then tells only how much has come: some megabytes at most from one look to the next. */
const LOOK_MS = 10;

/** A socket for a driver, not connected yet, which ends when more has come than may. Its owner destroys it. */
export function boundedSocket(): Socket {
  const socket = new Socket();
  const timer = setInterval(() => {
    if (socket.bytesRead <= MAX_RECEIVED_BYTES) return;
    clearInterval(timer);
    socket.destroy(new Error(`the server sent more than ${MAX_RECEIVED_BYTES} bytes, which no statement about users asks for`));
  }, LOOK_MS);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
  return socket;
}
