import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { ConnectionLimit } from './connection-limit';
import { cutStalledConnections } from '../../engine/stalled-connections';
import { ownValue } from '../../src/util/elements';
import type { ServingCertificate } from '../certificates/serving-certificate';

/** An answer: status, media type and text. */
export type Answer = readonly [status: number, type: string, text: string];

/** An address that cannot be listened on. */
export class ListenError extends Error {
  /** The error of another thread, by its message. */
  public static of(message: string): ListenError {
    const error = new ListenError('', '', '');
    error.message = message;
    return error;
  }

  public constructor(flag: string, address: string, why: string) {
    super(`${flag} ${address}: ${why}`);
    this.name = 'ListenError';
  }
}

export interface Endpoint {
  /** The port, assigned by the system if the address has port 0. */
  readonly port: number;
  close(): Promise<void>;
}

/** A handler of all paths below one, which authorizes its requests itself. */
export interface Mount {
  /** Without a slash at its end, e.g. `/ui`. */
  readonly path: string;
  /** @param path what follows the mount's path and a slash */
  answer(path: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends its streams. */
  close(): void;
}

export type Paths = Readonly<Record<string, (query: URLSearchParams) => Promise<Answer> | Answer>>;

/** HTTPS, with authorization. */
export interface Security {
  readonly certificate: ServingCertificate;
  /** The refusal of a request; undefined: it is allowed. Called for every request. */
  readonly refuse: (path: string, authorization: string | undefined) => Promise<Answer | undefined>;
  readonly mount?: Mount | undefined;
}

/** An endpoint over HTTPS whose certificate may change while it serves. */
export interface SecureEndpoint extends Endpoint {
  use(certificate: ServingCertificate): void;
}

/**
 * Serves GET requests on an address in Go's form (`:8081`, `127.0.0.1:8081`), over plain HTTP.
 * @param stalledMs milliseconds after which a client that reads nothing of its answer is cut off. Default 20 s.
 */
export async function serve(flag: string, address: string, paths: Paths, stalledMs?: number): Promise<Endpoint> {
  return listening(createServer(LIMITS, listener(paths)), flag, address, stalledMs);
}

/** The same over HTTPS, for authorized clients. */
export async function serveSecurely(
  flag: string,
  address: string,
  paths: Paths,
  { certificate, refuse, mount }: Security,
): Promise<SecureEndpoint> {
  const options = { ...LIMITS, ...certificate, handshakeTimeout: 5_000, minVersion: 'TLSv1.2' } as const;
  const server = createSecureServer(options, listener(paths, refuse, mount));
  // Failed handshakes are the client's problem.
  server.on('tlsClientError', () => undefined);
  const endpoint = await listening(server, flag, address);
  return {
    port: endpoint.port,
    close: () => {
      mount?.close();
      return endpoint.close();
    },
    use: (next) => server.setSecureContext({ ...next, minVersion: 'TLSv1.2' }),
  };
}

/** Of requests without a body, which come every few seconds. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 30_000, connectionsCheckingInterval: 1_000 } as const;
const MOST_CONNECTIONS = 100;
const STALLED_MS = 20_000;

async function listening(server: Server | SecureServer, flag: string, address: string, stalledMs = STALLED_MS): Promise<Endpoint> {
  const [, host, port] = /^(?:\[?([^\]]*?)\]?:)(\d+)$/.exec(address) ?? [];
  if (port === undefined) throw new ListenError(flag, address, 'write HOST:PORT or :PORT, e.g. :8081');
  // Connections that are merely held open must not block the kubelet.
  new ConnectionLimit(server, MOST_CONNECTIONS);
  cutStalledConnections(server, stalledMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(flag, address, error.message)));
    server.listen(Number(port), host || undefined, resolve);
  });
  return { port: portOf(server), close: () => closed(server) };
}

function listener(paths: Paths, refuse?: Security['refuse'], mount?: Mount): RequestListener {
  return (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    if (mount && path === mount.path) response.writeHead(308, { location: `${mount.path}/` }).end();
    else if (mount && path.startsWith(`${mount.path}/`)) void mount.answer(path.slice(mount.path.length + 1), new URLSearchParams(query), request, response);
    else void answer(request, response, paths, refuse);
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, paths: Paths, refuse?: Security['refuse']): Promise<void> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const handler = request.method === 'GET' ? ownValue(paths, path) : undefined;
  try {
    // An unauthorized client must not learn which paths exist.
    const refusal = await refuse?.(path, request.headers.authorization);
    const [status, type, text] = refusal ?? (handler ? await handler(new URLSearchParams(query)) : [404, 'text/plain', 'not found\n']);
    response.writeHead(status, { 'content-type': type, ...(request.complete ? {} : { connection: 'close' }) }).end(text);
  } catch {
    response.writeHead(500, { 'content-type': 'text/plain' }).end('internal error\n');
  }
}

function portOf(server: Server | SecureServer): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function closed(server: Server | SecureServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
