import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ApiError } from '../api-error';
import type { KubernetesOptions } from '../options';
import type { Answer, StreamAnswer } from './answer';
import { refusal } from './answer';
import type { Api } from './api';

/** A watch whose client reads so much too slowly is cut; it comes back from where it was. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;
const MOST_BODY_BYTES = 3 * 1024 * 1024;
const KEEP_ALIVE_MILLISECONDS = 120_000;

/** The API over HTTP/1.1. */
export class Listener {
  public static async open(api: Api, host: string, port: number, intercept: KubernetesOptions['intercept']): Promise<Listener> {
    const listener = new Listener(api, intercept);
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', reject);
      listener.server.listen(port, host, () => {
        listener.server.off('error', reject);
        resolve();
      });
    });
    return listener;
  }

  private readonly server: Server;

  private constructor(private readonly api: Api, private readonly intercept: KubernetesOptions['intercept']) {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  }

  public get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  public async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await read(request);
      const url = new URL(request.url ?? '/', 'http://sandbox');
      const method = request.method ?? 'GET';
      const fault = this.intercept?.({
        method,
        path: url.pathname,
        query: url.searchParams,
        userAgent: request.headers['user-agent'] ?? '',
      });
      if (fault === 'reset') return void request.socket.destroy();
      if (fault) {
        const { code, reason, message, retryAfterSeconds } = fault;
        return write(response, refusal(new ApiError(code, reason, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })));
      }
      const headers = request.headers as Record<string, string | undefined>;
      write(response, this.api.handle({ method, path: url.pathname, query: url.searchParams, headers, body }));
    } catch (error) {
      if (response.headersSent || request.destroyed) request.socket.destroy();
      else write(response, refusal(error));
    }
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MOST_BODY_BYTES}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, answer: Answer): void {
  if ('start' in answer) return stream(response, answer);
  const { code, contentType, headers, body } = answer;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    response.writeHead(code, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-cache, private',
    });
    response.end(body);
  } else {
    response.writeHead(code, { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' });
    Readable.from(body).pipe(response);
  }
}

function stream(response: ServerResponse, { contentType, start }: StreamAnswer): void {
  response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  const stop = start(
    (line) => {
      response.write(line);
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
    },
    () => response.end(),
  );
  response.on('close', stop);
}
