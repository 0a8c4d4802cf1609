import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** An answer: status, media type and text. */
export type Answer = readonly [status: number, type: string, text: string];

/** An address that cannot be listened on. */
export class ListenError extends Error {
  public constructor(flag: string, address: string, why: string) {
    super(`${flag} ${address}: ${why}`);
    this.name = 'ListenError';
  }
}

export interface Endpoint {
  /** With the port that the system gave, where the address has port 0. */
  readonly port: number;
  close(): Promise<void>;
}

export type Paths = Readonly<Record<string, () => Promise<Answer> | Answer>>;

/** Serves GET requests on an address in Go's form (`:8081`, `127.0.0.1:8081`). */
export async function serve(flag: string, address: string, paths: Paths): Promise<Endpoint> {
  const [, host, port] = /^(?:\[?([^\]]*?)\]?:)(\d+)$/.exec(address) ?? [];
  if (port === undefined) throw new ListenError(flag, address, 'write HOST:PORT or :PORT, e.g. :8081');
  const server = createServer((request, response) => void answer(request, response, paths));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(flag, address, error.message)));
    server.listen(Number(port), host || undefined, resolve);
  });
  return { port: portOf(server), close: () => closed(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, paths: Paths): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0];
  const handler = request.method === 'GET' && Object.hasOwn(paths, path) ? paths[path] : undefined;
  try {
    const [status, type, text] = handler ? await handler() : [404, 'text/plain', 'not found\n'];
    response.writeHead(status, { 'content-type': type }).end(text);
  } catch {
    response.writeHead(500, { 'content-type': 'text/plain' }).end('internal error\n');
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
