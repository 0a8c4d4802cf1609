import { Agent, EnvHttpProxyAgent, ProxyAgent, type Dispatcher } from 'undici';
import { flowOf, FairRequestQueue } from './fair-request-queue';
import { headersOf } from './http-answer';
import { KubernetesError } from './types';
import { boundedText } from '../http/bounded-body';
import { startDeadline } from '../http/deadline';
import { NotLeadingError } from '../not-leading-error';

/** Certificates and key for TLS, in PEM. */
export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  readonly skipVerify?: boolean;
}

/** The address of an API server and the credentials for it. */
export interface ClusterAccess {
  /** `https://host:port`, possibly with a path; `http://` works as well. */
  readonly server: string;
  /** Namespace of the context, or of the pod. */
  readonly namespace?: string | undefined;
  readonly proxyUrl?: string | undefined;
  /** Current headers and TLS material. Called for each request, so implementations cache. */
  authenticate(): Promise<{ readonly headers: Record<string, string>; readonly tls: TlsMaterial }>;
  /** Called when the server refused the credentials: cached ones are stale. */
  invalidate?(): void;
}

/** Access without credentials: for a local proxy, the sandbox, and tests. */
export function anonymousAccess(server: string): ClusterAccess {
  return { server, authenticate: async () => ({ headers: {}, tls: {} }) };
}

export interface ConnectionOptions {
  readonly userAgent?: string;
  /** Maximum sockets for requests, which namespaces share fairly; each watch has a socket of its own. Default 16. */
  readonly maxRequests?: number;
  /** Maximum wait for the answer to begin, and between two parts of it, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Maximum time of a request as a whole, in milliseconds; a watch has none. Default 180 s. */
  readonly requestTimeout?: number;
  /** Maximum size of an answer, in bytes; a watch has none, but its lines have. Default 128 MiB. */
  readonly maxAnswerBytes?: number;
  /** Called after every request; without a status there was no answer. */
  readonly onRequest?: (request: { readonly method: string; readonly host: string; readonly status?: number | undefined }) => void;
  /** Called with the bytes of each body, as sent and as received (compressed where the server compresses), and of each part of a watch. */
  readonly onBytes?: (direction: 'sent' | 'received', bytes: number) => void;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path without query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly accept?: string | undefined;
  readonly contentType?: string;
  readonly body?: string;
  /** Called just before the request is sent, after it has waited in the queue. An exception rejects the request. */
  readonly beforeSending?: () => void;
}

export interface HttpAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface Pools {
  readonly material: string;
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

const MOST_REQUESTS = 16;
const CONNECT_TIMEOUT = 10_000;
/** For answers of which a byte comes now and then. An API server gives up on its requests after 60 s. */
export const REQUEST_TIMEOUT = 180_000;
/** A page of a list has 500 objects; an object has at most 1.5 MiB, and rarely more than 20 KiB. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** HTTP connections to one API server: pools for requests and for watches, rebuilt when a client certificate is renewed. */
export class Connection {
  private readonly base: URL;
  private readonly requestQueue: FairRequestQueue;
  private pools: Pools | undefined;

  public constructor(private readonly access: ClusterAccess, private readonly options: ConnectionOptions = {}) {
    this.base = new URL(access.server);
    this.requestQueue = new FairRequestQueue(options.maxRequests ?? MOST_REQUESTS);
  }

  /** `https://host:port` and path, for messages. */
  public get server(): string {
    return this.access.server;
  }

  /** Sends one request. Throws KubernetesError with status 0 when there is no answer. */
  public async request(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    try {
      return await this.requestQueue.run(flowOf(request.path), async () => {
        const deadline = startDeadline(this.options.requestTimeout ?? REQUEST_TIMEOUT, 'whole answer', signal);
        try {
          const answer = await this.send(request, deadline.signal, false);
          const text = await boundedText(answer.body, {
            maxBytes: this.options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
            from: 'a Kubernetes API',
            signal: deadline.signal,
            onPart: (bytes) => this.options.onBytes?.('received', bytes),
          });
          return { status: answer.statusCode, headers: headersOf(answer.headers), text };
        } finally {
          deadline.clear();
        }
      }, signal);
    } catch (error) {
      throw this.noAnswer(request, error);
    }
  }

  /** Sends a request and streams the body of its answer. The reader must limit silence in the stream. */
  public async stream(request: HttpRequest, signal: AbortSignal): Promise<HttpStream> {
    const answer = await this.send(request, signal, true);
    return { status: answer.statusCode, headers: headersOf(answer.headers), body: this.parts(request, answer.body) };
  }

  /** Drops cached credentials that the server refused. */
  public invalidate(): void {
    this.access.invalidate?.();
  }

  public async close(): Promise<void> {
    const pools = this.pools;
    this.pools = undefined;
    this.requestQueue.refuse(new Error('the connection was closed'));
    await Promise.all([pools?.requests.destroy(), pools?.watches.destroy()]);
  }

  private async *parts(request: HttpRequest, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    try {
      for await (const part of body) {
        this.options.onBytes?.('received', part.length);
        yield part;
      }
    } catch (error) {
      throw this.noAnswer(request, error);
    }
  }

  private async send(request: HttpRequest, signal: AbortSignal | undefined, streaming: boolean): Promise<Dispatcher.ResponseData> {
    const { method } = request;
    const { host } = this.base;
    try {
      const { headers, tls } = await this.access.authenticate();
      const pools = this.poolsFor(tls);
      request.beforeSending?.();
      const answer = await (streaming ? pools.watches : pools.requests).request({
        origin: this.base.origin,
        path: this.pathOf(request),
        method,
        headers: {
          ...headers,
          'accept': request.accept ?? 'application/json',
          'user-agent': this.options.userAgent ?? 'cdk8s-aso-controller',
          ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        },
        body: request.body ?? null,
        signal,
        ...(streaming ? { bodyTimeout: 0 } : {}),
      });
      this.options.onRequest?.({ method, host, status: answer.statusCode });
      if (request.body !== undefined) this.options.onBytes?.('sent', Buffer.byteLength(request.body));
      return answer;
    } catch (error) {
      if (error instanceof NotLeadingError) throw error;
      this.options.onRequest?.({ method, host });
      throw this.noAnswer(request, error);
    }
  }

  private pathOf(request: HttpRequest): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined) query.set(name, String(value));
    const text = query.toString();
    return `${this.base.pathname.replace(/\/$/, '')}${request.path}${text && `?${text}`}`;
  }

  private noAnswer(request: HttpRequest, error: unknown): KubernetesError | NotLeadingError {
    if (error instanceof KubernetesError || error instanceof NotLeadingError) return error;
    const { message, code } = (error ?? {}) as { message?: string; code?: string };
    const why = [code, message].filter(Boolean).join(': ') || String(error);
    return new KubernetesError(0, code ?? 'NoAnswer', `no answer from ${this.access.server} to ${request.method} ${request.path}: ${why}`, {
      cause: error,
    });
  }

  private poolsFor(tls: TlsMaterial): Pools {
    const material = JSON.stringify(tls);
    if (this.pools?.material !== material) {
      const old = this.pools;
      this.pools = {
        material,
        requests: this.dispatcher(tls, this.options.maxRequests ?? MOST_REQUESTS),
        watches: this.dispatcher(tls, null),
      };
      // Running requests finish with the certificate that they started with.
      void old?.requests.close();
      void old?.watches.close();
    }
    return this.pools;
  }

  private dispatcher(tls: TlsMaterial, connections: number | null): Dispatcher {
    const timeout = this.options.timeout ?? 30_000;
    const secure = {
      ca: tls.ca,
      cert: tls.cert,
      key: tls.key,
      servername: tls.serverName,
      // If absent, NODE_TLS_REJECT_UNAUTHORIZED decides, as for every other client of Node.
      ...(tls.skipVerify ? { rejectUnauthorized: false } : {}),
    };
    const connect = { ...secure, timeout: CONNECT_TIMEOUT };
    const common = { connections, headersTimeout: timeout, bodyTimeout: timeout, connect, requestTls: connect };
    if (this.access.proxyUrl) return new ProxyAgent({ ...common, uri: this.access.proxyUrl });
    return proxied(this.base) ? new EnvHttpProxyAgent(common) : new Agent(common);
  }
}

/** Whether the proxy variables of the environment apply; as in Go, never to localhost. */
function proxied(server: URL): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return false;
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => process.env[name]);
}
