import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ByteBudget, ByteReservation } from './byte-budget';
import type { WebhookLimits } from './limits';
import { bodyOf } from './request-body';
import { RequestError } from './request-error';
import { MalformedReviewError } from './review';
import { truncate } from '../../engine/text-limits';
import { QueueFullError } from '../../engine/workers/errors';
import { textBefore } from '../../src/util/text-before';
import type { ServingCertificate } from '../certificates/serving-certificate';
import { ConnectionLimit } from '../http/connection-limit';
import { ListenError, type Endpoint } from '../http/http-endpoints';

export interface WebhookObservation {
  /** The path; `unknown` for an unknown path. */
  readonly webhook: string;
  readonly code: number;
  readonly seconds: number;
}

export interface WebhookServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string | undefined;
  /** By path. */
  readonly routes: Pick<ReadonlyMap<string, WebhookRoute>, 'get'>;
  readonly limits: WebhookLimits;
  /** Called for every request when it arrives; `onRequest` reports its end. */
  readonly onBegan?: ((webhook: string) => void) | undefined;
  /** Called for every request that was answered. */
  readonly onRequest?: ((request: WebhookObservation) => void) | undefined;
  /** An internal error: the request was answered 500. */
  readonly onError?: (path: string, error: unknown) => void;
}

export interface WebhookRoute {
  /** The answer to the bytes of a review, in parts. */
  readonly handle: (body: Buffer) => Promise<readonly Buffer[]>;
  readonly limitBytes: number;
  readonly budget: ByteBudget;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly parts: readonly Buffer[];
  readonly retryAfterSeconds?: number | undefined;
}

/** The HTTPS server of all webhooks. It listens before it has a certificate; until then no handshake succeeds. */
export class WebhookServer implements Endpoint {
  /** @throws ListenError */
  public static async listen(options: WebhookServerOptions): Promise<WebhookServer> {
    const { limits } = options;
    const requests = new Requests(options);
    const server = createServer({
      handshakeTimeout: limits.handshakeTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    }, (request, response) => void requests.answer(request, response));
    const connections = new ConnectionLimit(server, limits.connections);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new ListenError('--webhook-port', String(options.port), error.message)));
      server.listen(options.port, options.host, resolve);
    });
    // Failed handshakes are the client's problem.
    server.on('tlsClientError', () => undefined);
    return new WebhookServer(server, connections, limits.closeTimeoutMs);
  }

  private certificate?: ServingCertificate;

  private constructor(
    private readonly server: Server,
    private readonly connections: ConnectionLimit,
    private readonly closeTimeoutMs: number,
  ) {}

  public get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** New connections get this certificate; open ones keep theirs. Throws when certificate and key do not match. */
  public use(certificate: ServingCertificate): void {
    if (certificate.cert === this.certificate?.cert && certificate.key === this.certificate.key) return;
    this.server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' });
    this.certificate = certificate;
  }

  /** Whether there is a certificate to serve with. */
  public get isReady(): boolean {
    return this.certificate !== undefined;
  }

  /** Accepts no more connections, and resolves when the running requests are answered, or their time is over. */
  public close(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => this.server.closeAllConnections(), this.closeTimeoutMs);
      this.server.close(() => {
        clearTimeout(late);
        resolve();
      });
      this.connections.end();
    });
  }
}

/** Answers requests, with a limit on concurrent ones. Requests that are still arriving are limited by connections and bytes instead. */
class Requests {
  private workedOn = 0;

  public constructor(private readonly options: WebhookServerOptions) {}

  public async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = process.hrtime.bigint();
    const path = textBefore(request.url ?? '/', '?');
    const route = this.options.routes.get(path);
    const webhook = route ? path : 'unknown';
    this.options.onBegan?.(webhook);
    const reservation = route && new ByteReservation(route.budget);
    const answer = await this.answered(request, path, route, reservation);
    reservation?.waitsForClient(() => response.destroy());
    const code = await this.send(request, response, answer);
    reservation?.release();
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    this.options.onRequest?.({ webhook, code, seconds });
  }

  private async answered(
    request: IncomingMessage, path: string, route: WebhookRoute | undefined, reservation?: ByteReservation,
  ): Promise<Answer> {
    try {
      if (!route || !reservation) throw new RequestError(404, `there is no webhook at ${truncate(path, 200)}`);
      if (request.method !== 'POST') throw new RequestError(405, `send a review with POST, not with ${request.method}`);
      checkMediaType(request.headers['content-type']);
      const body = await bodyOf(request, route.limitBytes, reservation);
      return { status: 200, type: 'application/json', parts: await this.work(route, body) };
    } catch (error) {
      const status = statusOf(error);
      if (status === 500) this.options.onError?.(path, error);
      const message = status === 500 ? 'internal error; the log of the webhook has it' : (error as Error).message;
      const { retryAfterSeconds } = error as Partial<RequestError>;
      return { status, type: 'text/plain; charset=utf-8', parts: [Buffer.from(`${message}\n`)], retryAfterSeconds };
    }
  }

  private async work({ handle }: WebhookRoute, body: Buffer): Promise<readonly Buffer[]> {
    if (this.workedOn >= this.options.limits.requests) throw new RequestError(429, 'too many reviews are being worked on', 1);
    this.workedOn += 1;
    try {
      return await handle(body);
    } finally {
      this.workedOn -= 1;
    }
  }

  /** Resolves when the answer was read, or never will be. Only then its share of the byte budget is free. */
  private send(request: IncomingMessage, response: ServerResponse, { status, type, parts, retryAfterSeconds }: Answer): Promise<number> {
    return new Promise((resolve) => {
      const late = setTimeout(() => response.destroy(), this.options.limits.responseTimeoutMs);
      response.once('close', () => {
        clearTimeout(late);
        resolve(status);
      });
      if (response.destroyed) return void response.emit('close');
      // The rest of an unwanted body is not read either.
      if (!request.complete) response.setHeader('connection', 'close');
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
      response.writeHead(status, { 'content-type': type, 'content-length': parts.reduce((sum, part) => sum + part.length, 0) });
      for (const part of parts) response.write(part);
      response.end();
    });
  }
}

function statusOf(error: unknown): number {
  if (error instanceof RequestError) return error.status;
  if (error instanceof QueueFullError) return 429;
  return error instanceof MalformedReviewError ? 400 : 500;
}

/** @throws RequestError */
function checkMediaType(type: string | undefined): void {
  const name = textBefore(type ?? '', ';').trim().toLowerCase();
  if (name !== '' && name !== 'application/json') {
    throw new RequestError(415, `send a review as application/json, not as ${truncate(name, 100)}`);
  }
}
