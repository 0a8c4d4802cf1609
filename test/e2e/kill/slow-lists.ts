import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomNumbers } from './moments';

export interface SlowListsOptions {
  /** Of the API server. */
  readonly url: string;
  /** So long a list may take, or be refused, in milliseconds. */
  readonly longestMs: number;
  readonly seed: number;
}

export interface SlowLists {
  /** `http://127.0.0.1:PORT`, for the controller. */
  readonly url: string;
  /** How many lists were late, and how many refused. */
  readonly counts: { readonly delayed: number; readonly refused: number };
  /** A new process of the controller has other lists late. */
  begin(): void;
  close(): Promise<void>;
}

interface Trouble {
  readonly until: number;
  readonly isRefused: boolean;
}

const SHARE_DELAYED = 0.5;
const SHARE_REFUSED = 0.2;
const LIST = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+$/;

/** A proxy before the API server, behind which lists come late or are refused for a while, each kind for itself. */
export async function slowLists({ url, longestMs, seed }: SlowListsOptions): Promise<SlowLists> {
  const target = new URL(url);
  const random = randomNumbers(seed);
  const counts = { delayed: 0, refused: 0 };
  let troubles = new Map<string, Trouble>();

  const troubleOf = (path: string): Trouble => {
    const known = troubles.get(path);
    if (known) return known;
    const [kind, length] = [random(), random()];
    const isRefused = kind < SHARE_REFUSED;
    const trouble = { isRefused, until: kind < SHARE_REFUSED + SHARE_DELAYED ? Date.now() + length * longestMs : 0 };
    troubles.set(path, trouble);
    return trouble;
  };

  const forward = (from: IncomingMessage, to: ServerResponse) => {
    const sent = request(
      { host: target.hostname, port: target.port, method: from.method, path: from.url, headers: from.headers },
      (answer) => {
        to.writeHead(answer.statusCode!, answer.headers);
        to.flushHeaders();
        answer.pipe(to);
        answer.on('error', () => to.destroy());
      },
    );
    sent.on('error', () => to.destroy());
    to.on('close', () => sent.destroy());
    from.pipe(sent);
  };

  const server = createServer((from, to) => {
    const { pathname, searchParams } = new URL(from.url!, target);
    const isList = from.method === 'GET' && LIST.test(pathname) && searchParams.get('watch') !== 'true';
    const { until, isRefused } = isList ? troubleOf(pathname) : { until: 0, isRefused: false };
    const wait = until - Date.now();
    if (wait <= 0) return forward(from, to);
    counts[isRefused ? 'refused' : 'delayed'] += 1;
    if (!isRefused) return void setTimeout(() => forward(from, to), wait);
    to.writeHead(503, { 'content-type': 'application/json' });
    to.end(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: 503,
        reason: 'ServiceUnavailable',
        message: 'the list is refused for now',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    begin: () => (troubles = new Map()),
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
