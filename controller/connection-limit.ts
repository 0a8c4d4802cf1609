import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server. A new one above the limit is not turned away: the one that has been without a request for longest makes
 * room, so that connections that only hold their place keep out nobody.
 */
export class ConnectionLimit {
  /** Those without a request, by address and port of the client, the oldest first: in their handshake, waiting for headers, or idle. */
  private readonly waiting = new Map<string, Socket>();
  private readonly all = new Set<Socket>();

  public constructor(server: Server | SecureServer, private readonly limit: number) {
    server.on('connection', (socket: Socket) => this.add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.busy(request, response));
  }

  private add(socket: Socket): void {
    if (this.all.size >= this.limit) {
      const [oldest] = this.waiting.values();
      (oldest ?? socket).destroy();
      if (!oldest) return;
    }
    const key = keyOf(socket);
    this.all.add(socket);
    this.waiting.set(key, socket);
    socket.once('close', () => {
      this.all.delete(socket);
      if (this.waiting.get(key) === socket) this.waiting.delete(key);
    });
  }

  private busy({ socket }: IncomingMessage, response: ServerResponse): void {
    const key = keyOf(socket);
    // The socket of a request is the one with TLS; what is kept is the one below it.
    const below = this.waiting.get(key);
    this.waiting.delete(key);
    response.once('close', () => {
      if (below && this.all.has(below)) this.waiting.set(key, below);
    });
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
