import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';

/** A client is cut off after so many looks in a row without progress. */
const LOOKS = 4;

/**
 * Cuts off clients that read nothing of their answer for a time: they would keep it in memory, and their connection, for good. Answers that
 * are still being made are not cut off, and time in which this process did not run, and so could not write, does not count.
 *
 * @param stalledMs milliseconds; the cut comes after this time, and before twice this time unless this process was kept from running
 */
export function cutStalledConnections(server: Server | SecureServer, stalledMs: number): void {
  const lookMs = stalledMs / LOOKS;
  server.setTimeout(stalledMs);
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    let stalledLooks = 0;
    let lastLook = -Infinity;
    const look = () => {
      if (socket.destroyed || (socket.writableLength === 0 && response.writableLength === 0)) return;
      const now = performance.now();
      // Node starts the time anew, without an event, where a write has made progress: the next event is then late, as it is where this
      // process did not run.
      stalledLooks = now - lastLook < 2 * lookMs ? stalledLooks + 1 : 1;
      lastLook = now;
      if (stalledLooks < LOOKS) socket.setTimeout(lookMs);
      else socket.destroy();
    };
    socket.setTimeout(lookMs);
    // Timers come before the sockets in each turn of the event loop: between two looks the sockets are served at least once.
    response.on('timeout', () => setImmediate(look));
  });
}
