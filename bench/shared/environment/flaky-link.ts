import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** Between a client and a server: passes everything on, until it is cut. To the client a cut looks as if the server had been restarted. */
export class FlakyLink {
  public static async to(host: string, port: number): Promise<FlakyLink> {
    const link = new FlakyLink(host, port);
    await new Promise<void>((resolve, reject) => {
      link.server.once('error', reject);
      link.server.listen(0, '127.0.0.1', resolve);
    });
    return link;
  }

  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private downUntil = 0;

  private constructor(private readonly host: string, private readonly targetPort: number) {
    this.server = createServer((client) => this.pass(client));
  }

  public get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections, and takes none for so many milliseconds. */
  public cut(milliseconds: number): void {
    this.downUntil = Date.now() + milliseconds;
    for (const socket of this.sockets) socket.destroy();
  }

  public close(): Promise<void> {
    this.cut(0);
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private pass(client: Socket): void {
    if (Date.now() < this.downUntil) return void client.destroy();
    const server = connect(this.targetPort, this.host);
    for (const [socket, other] of [[client, server], [server, client]] as const) {
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
