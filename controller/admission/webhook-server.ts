import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { admissionReview, conversionReview, MalformedReviewError } from './reviews';
import { Catalog, type KindVersion } from '../../src/catalog';
import { CONVERSION_PATH, webhookPath, type WebhookPurpose } from '../../src/catalog/webhook-configurations';
import { ListenError, type Endpoint } from '../http-endpoints';

/** PEM. */
export interface ServingCertificate {
  /** The chain, the server's own first. */
  readonly cert: string;
  readonly key: string;
}

export interface WebhookObservation {
  /** The path; `unknown` where there is nothing at it. */
  readonly webhook: string;
  readonly code: number;
  readonly seconds: number;
}

export interface WebhookServerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string;
  readonly catalog?: Catalog;
  /** Told of every request when it comes in; `onRequest` tells of its end. */
  readonly onBegan?: (webhook: string) => void;
  /** Told of every request that was answered. */
  readonly onRequest?: (request: WebhookObservation) => void;
  /** A mistake of ours: the request was answered 500. */
  readonly onError?: (path: string, error: unknown) => void;
}

type Handler = (review: unknown) => object;

interface Route {
  readonly handle: Handler;
  /** Bytes. */
  readonly limit: number;
}

const MEBIBYTE = 1024 * 1024;
/** An object and its predecessor; etcd takes objects up to 1.5 MiB. */
const ADMISSION_LIMIT = 7 * MEBIBYTE;
/** A page of a list comes in one review. */
const CONVERSION_LIMIT = 256 * MEBIBYTE;

class RequestError extends Error {
  public constructor(public readonly status: number, message: string) {
    super(message);
  }
}

/** The HTTPS server of all webhooks. It listens before it has a certificate; until then no handshake succeeds. */
export class WebhookServer implements Endpoint {
  /** @throws ListenError */
  public static async listen(options: WebhookServerOptions): Promise<WebhookServer> {
    const routes = routesOf(options.catalog ?? Catalog.default());
    const server = createServer((request, response) => void answer(request, response, routes, options));
    server.requestTimeout = 30_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new ListenError('--webhook-port', String(options.port), error.message)));
      server.listen(options.port, options.host, resolve);
    });
    // Broken handshakes are the client's business.
    server.on('tlsClientError', () => undefined);
    return new WebhookServer(server);
  }

  private certificate?: ServingCertificate;

  private constructor(private readonly server: Server) {}

  public get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Connections from now on get this certificate; those that are open keep theirs. Throws when the two do not fit. */
  public use(certificate: ServingCertificate): void {
    if (certificate.cert === this.certificate?.cert && certificate.key === this.certificate.key) return;
    this.server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' });
    this.certificate = certificate;
  }

  /** Whether there is a certificate to serve with. */
  public get isReady(): boolean {
    return this.certificate !== undefined;
  }

  /** Takes no connection any more, and ends when the requests under way are answered. */
  public close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeIdleConnections();
    });
  }
}

function routesOf(catalog: Catalog): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>([[CONVERSION_PATH, { handle: (review) => conversionReview(review, catalog), limit: CONVERSION_LIMIT }]]);
  const add = (purpose: WebhookPurpose, version: KindVersion) =>
    routes.set(webhookPath(purpose, version), { handle: (review) => admissionReview(purpose, version, review), limit: ADMISSION_LIMIT });
  for (const kind of catalog.allKinds) {
    for (const name of kind.versionNames) {
      add('mutate', kind.version(name)!);
      add('validate', kind.version(name)!);
    }
  }
  return routes;
}

async function answer(
  request: IncomingMessage, response: ServerResponse, routes: ReadonlyMap<string, Route>, options: WebhookServerOptions,
): Promise<void> {
  const started = process.hrtime.bigint();
  const path = (request.url ?? '/').split('?', 1)[0];
  const route = routes.get(path);
  const webhook = route ? path : 'unknown';
  options.onBegan?.(webhook);
  const { status, type, body } = await answered(request, path, route, options);
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': type }).end(body);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  options.onRequest?.({ webhook, code: status, seconds });
}

async function answered(
  request: IncomingMessage, path: string, route: Route | undefined, options: WebhookServerOptions,
): Promise<{ status: number; type: string; body: string }> {
  try {
    if (!route) throw new RequestError(404, `there is no webhook at ${path}`);
    if (request.method !== 'POST') throw new RequestError(405, `send a review with POST, not with ${request.method}`);
    const review = parsed(await bodyOf(request, route.limit));
    return { status: 200, type: 'application/json', body: JSON.stringify(route.handle(review)) };
  } catch (error) {
    const status = error instanceof RequestError ? error.status : error instanceof MalformedReviewError ? 400 : 500;
    if (status === 500) options.onError?.(path, error);
    const message = status === 500 ? 'internal error; the log of the controller has it' : (error as Error).message;
    return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
  }
}

async function bodyOf(request: IncomingMessage, limit: number): Promise<string> {
  const tooLong = () => new RequestError(413, `the review is longer than ${limit / MEBIBYTE} MiB`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLong();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Leaving the loop would destroy the connection before the refusal is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) throw tooLong();
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // Nobody reads this answer; but it is the client's doing, not a mistake of ours.
    throw new RequestError(400, 'the connection ended before the review did');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedReviewError(`the body is not JSON: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}
