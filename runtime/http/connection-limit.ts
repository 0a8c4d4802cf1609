import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Limits the connections of a server. A new connection above the limit is accepted: the one without a request for longest is closed, and
 * if all have requests, the one whose request has been arriving for longest. So connections that are merely held open block no client.
 */
export class ConnectionLimit {
  /** Connections without a request, by the client's address and port, oldest first: in their handshake, waiting for headers, or idle. */
  private readonly waiting = new Map<string, Socket>();
  /** Connections with a request, oldest request first. */
  private readonly requests = new Map<IncomingMessage, Socket>();
  /** Address and port of each connection, which a closed socket no longer has. */
  private readonly all = new Map<Socket, string>();
  private isEnding = false;

  public constructor(server: Server | SecureServer, private readonly limit: number) {
    server.on('connection', (socket: Socket) => this.add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.busy(request, response));
  }

  /**
   * Closes the connections without a request, and each other one after its answer. Node's `closeIdleConnections` leaves out those that have
   * not asked anything yet, such as a client keeps in reserve: a server would wait for them until a timeout.
   */
  public end(): void {
    this.isEnding = true;
    for (const socket of this.waiting.values()) socket.destroy();
  }

  private add(socket: Socket): void {
    if (this.all.size >= this.limit) {
      const oldest = this.oldest();
      (oldest ?? socket).destroy();
      if (!oldest) return;
      this.forget(oldest);
    }
    const key = keyOf(socket);
    this.all.set(socket, key);
    this.waiting.set(key, socket);
    socket.once('close', () => this.forget(socket));
  }

  private forget(socket: Socket): void {
    const key = this.all.get(socket);
    this.all.delete(socket);
    if (key !== undefined && this.waiting.get(key) === socket) this.waiting.delete(key);
  }

  private oldest(): Socket | undefined {
    const [waiting] = this.waiting.values();
    if (waiting) return waiting;
    // Of a connection that was ended just now, the request is still there until its event comes.
    return [...this.requests].find(([request, socket]) => !request.complete && this.all.has(socket))?.[1];
  }

  private busy(request: IncomingMessage, response: ServerResponse): void {
    const key = keyOf(request.socket);
    // The socket of a request is the one with TLS; what is kept is the one below it.
    const below = this.waiting.get(key);
    this.waiting.delete(key);
    if (below) this.requests.set(request, below);
    response.once('close', () => {
      this.requests.delete(request);
      if (!below || !this.all.has(below)) return;
      this.waiting.set(key, below);
      if (this.isEnding) below.destroySoon();
    });
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
