import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PageServer, type PageServerOptions, type Refusal } from './page-server';
import { SECURITY_HEADERS } from './security-headers';
import { cutStalledConnections } from '../engine/stalled-connections';

const HOST = '127.0.0.1';
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000 } as const;
const STALLED_MS = 20_000;

export interface LocalServerOptions extends Omit<PageServerOptions, 'refuse'> {
  /** Default: a free one. */
  readonly port?: number | undefined;
}

export interface LocalServer {
  readonly port: number;
  /** The address of the page, with the token in its fragment: whoever has it can read the page. */
  readonly url: string;
  /** The same without the token. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the page to the user of this machine who has its address: on the loopback interface, to requests with the token of this run, and
 * only under its own name, so that no other name can be made to lead here (DNS rebinding).
 *
 * The token is in the fragment of the address, which browsers send nowhere, and the page sends it in a header. A cookie would be sent to
 * the servers of all ports of this machine, those of other users too.
 *
 * @throws Error where the port is taken
 */
export async function servePageLocally({ port = 0, ...options }: LocalServerOptions): Promise<LocalServer> {
  const token = randomBytes(32).toString('base64url');
  const page = new PageServer({ ...options, refuse: (authorization) => refusalOf(authorization, token) });
  const server = createServer(LIMITS, (request, response) => void answer(request, response, page));
  cutStalledConnections(server, STALLED_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  }).catch((error: unknown) => {
    page.close();
    throw error;
  });
  const actual = (server.address() as AddressInfo).port;
  const origin = `http://${HOST}:${actual}/`;
  return {
    port: actual,
    origin,
    url: `${origin}#token=${token}`,
    close: () => {
      page.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, page: PageServer): Promise<void> {
  const { localPort } = request.socket;
  const host = request.headers.host?.toLowerCase();
  if (host !== `${HOST}:${localPort}` && host !== `localhost:${localPort}`) {
    response.writeHead(421, { ...SECURITY_HEADERS, 'content-type': 'text/plain' }).end(`this server answers only as ${HOST}:${localPort}\n`);
    return;
  }
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  await page.answer(path.replace(/^\//, ''), new URLSearchParams(query), request, response);
}

function refusalOf(authorization: string | undefined, token: string): Refusal | undefined {
  const given = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
  // Digests have one length, which timingSafeEqual asks for.
  return timingSafeEqual(digest(given), digest(token)) ? undefined : { status: 401, text: 'open the address that the command printed' };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
