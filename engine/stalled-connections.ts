import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';

/**
 * Cuts off clients that read nothing of their answer for a time: they would keep it in memory, and their connection, for good. Answers that
 * are still being made are not cut off.
 *
 * @param stalledMs milliseconds; the cut comes after this time, and before twice this time
 */
export function cutStalledConnections(server: Server | SecureServer, stalledMs: number): void {
  server.setTimeout(stalledMs);
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    response.on('timeout', () => {
      if (socket.writableLength > 0 || response.writableLength > 0) socket.destroy();
    });
  });
}
