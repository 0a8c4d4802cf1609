import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { readAssets, type Asset } from './assets';
import { NodeLog } from './node-log';
import { PacedWork, TooMuchWork } from './paced-work';
import { SECURITY_HEADERS } from './security-headers';
import type { PageSource } from './source';
import { wireDetail } from './wire-detail';

/** The refusal of a request for data. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

export interface PageServerOptions {
  readonly source: PageSource;
  /** Refuses a request for data; undefined: it is allowed. The files of the page hold no data, and everybody may read them. */
  readonly refuse: (authorization: string | undefined) => Promise<Refusal | undefined> | Refusal | undefined;
  /** Milliseconds between two signs of life on a stream. Default 10 s. */
  readonly heartbeatMs?: number;
  readonly assets?: ReadonlyMap<string, Asset>;
}

/** Pages that are open at a time. */
const MOST_STREAMS = 20;
/** Milliseconds after its last request in which a page counts as open: it may be about to follow. */
const WATCHED_MS = 30_000;
/** Descriptions of objects take at most this part of the time: a controller has other things to do. */
const MOST_LOAD = 0.3;

interface Stream {
  readonly response: ServerResponse;
  readonly authorization: string | undefined;
  version: number;
}

/**
 * Serves the page and its data, to be mounted below a path that ends in a slash. Only GET is answered, nothing is written anywhere.
 *
 * | Path | Answer |
 * |---|---|
 * | (empty), `page.js`, `page.css`, `icon.svg` | the page, without data |
 * | `api/snapshot` | all nodes |
 * | `api/changes?epoch=&version=` | server-sent events: what changes from then on |
 * | `api/object?key=` | one object |
 * | `api/plan?key=` | what the controller would send for it |
 */
export class PageServer {
  private readonly log = new NodeLog();
  private askedAt = -Infinity;
  private readonly streams = new Set<Stream>();
  private readonly assets: ReadonlyMap<string, Asset>;
  private readonly stopListening: () => void;
  private readonly timer: NodeJS.Timeout;
  private readonly details = new PacedWork(MOST_LOAD);
  /** The nodes as they are sent, for all who ask before something changes. */
  private snapshot: { readonly version: number; readonly body: Body } | undefined;
  /** The last changes as they are sent: most pages have the same version. */
  private delta: { readonly from: number; readonly to: number; readonly message: string } | undefined;

  public constructor(private readonly options: PageServerOptions) {
    this.assets = options.assets ?? readAssets();
    const { source, heartbeatMs = 10_000 } = options;
    this.log.take(source);
    this.stopListening = source.onChange(() => this.changed());
    this.timer = setInterval(() => this.beat(), heartbeatMs).unref();
  }

  /** Whether a page is open, or was a moment ago. */
  public get isWatched(): boolean {
    return this.streams.size > 0 || Date.now() - this.askedAt < WATCHED_MS;
  }

  /** @param path without the prefix below which the page is mounted, and without the query */
  public async answer(path: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    try {
      await this.respond(path, query, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof TooMuchWork) text(response, 503, 'too much is asked at a time; ask again later');
      else text(response, 500, 'internal error');
    }
  }

  /** Ends all streams. */
  public close(): void {
    this.stopListening();
    clearInterval(this.timer);
    for (const { response } of this.streams) response.end();
    this.streams.clear();
  }

  private async respond(path: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET');
      return text(response, 405, 'the page is read-only');
    }
    const asset = this.assets.get(path === '' ? 'index.html' : path);
    if (asset) return send(request, response, asset.type, new Body(asset.content));
    // A page of another site may not even ask.
    if (isOfOtherSite(request)) return text(response, 403, 'only the page itself may ask');
    const refusal = await this.options.refuse(request.headers.authorization);
    if (refusal) return text(response, refusal.status, refusal.text);
    this.askedAt = Date.now();
    return this.respondData(path, query, request, response);
  }

  private async respondData(path: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { source } = this.options;
    switch (path) {
      case 'api/snapshot':
        return send(request, response, JSON_TYPE, this.snapshotBody());
      case 'api/changes':
        return this.follow(query, request, response);
      case 'api/object':
        return json(request, response, await wireDetail(source, query.get('key') ?? '', (work) => this.details.run(work)));
      case 'api/plan': {
        const node = source.inspection?.byKey.get(query.get('key') ?? '');
        return json(request, response, node && await source.plan(node));
      }
      default:
        return text(response, 404, 'not found');
    }
  }

  private follow(query: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
    if (this.streams.size >= MOST_STREAMS) return text(response, 503, `${MOST_STREAMS} pages are open; close one`);
    const version = Number(query.get('version'));
    const delta = this.log.since(query.get('epoch') ?? '', version);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (!delta) {
      // The page reads everything again.
      response.end('event: reset\ndata: {}\n\n');
      return;
    }
    request.socket.setNoDelay(true);
    const stream: Stream = { response, authorization: request.headers.authorization, version };
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    response.on('drain', () => this.update(stream));
    response.write('event: hello\ndata: {}\n\n');
    this.update(stream);
  }

  private changed(): void {
    if (this.log.take(this.options.source)) for (const stream of this.streams) this.update(stream);
  }

  /** A page that has not read what it got gets everything later, at once: nothing piles up for it. */
  private update(stream: Stream): void {
    if (stream.version === this.log.version || stream.response.writableNeedDrain) return;
    const message = this.messageFor(stream.version);
    stream.version = this.log.version;
    stream.response.write(message);
  }

  private messageFor(from: number): string {
    const { version: to } = this.log;
    if (this.delta?.from !== from || this.delta.to !== to) {
      const delta = this.log.since(this.log.epoch, from);
      this.delta = { from, to, message: `event: ${delta ? 'delta' : 'reset'}\ndata: ${JSON.stringify(delta ?? {})}\n\n` };
    }
    return this.delta.message;
  }

  private snapshotBody(): Body | undefined {
    const { version } = this.log;
    if (this.snapshot?.version !== version) {
      const nodes = this.log.snapshot();
      this.snapshot = nodes && { version, body: jsonBody(nodes) };
    }
    return this.snapshot?.body;
  }

  private beat(): void {
    for (const stream of this.streams) void this.keepOpen(stream);
  }

  /** A right that was taken away ends the stream too. */
  private async keepOpen(stream: Stream): Promise<void> {
    const refused = await Promise.resolve(this.options.refuse(stream.authorization)).catch(() => true);
    if (refused) stream.response.end();
    else if (!stream.response.writableNeedDrain) stream.response.write('event: beat\ndata: {}\n\n');
  }
}

/** Whether a browser says that another page than this one asks. Programs say nothing of it. */
function isOfOtherSite({ headers, socket }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin !== undefined && origin !== `${socket instanceof TLSSocket ? 'https' : 'http'}://${host}`;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function json(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  send(request, response, JSON_TYPE, value === undefined ? undefined : jsonBody(value));
}

function jsonBody(value: unknown): Body {
  return new Body(Buffer.from(JSON.stringify(value)));
}

function text(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}

const WORTH_COMPRESSING_BYTES = 16 * 1024;

/** The body of an answer, which is compressed once. */
class Body {
  private compressed: Buffer | undefined;

  public constructor(private readonly content: Buffer) {}

  public as(takesGzip: boolean): { readonly content: Buffer; readonly isCompressed: boolean } {
    if (!takesGzip || this.content.length <= WORTH_COMPRESSING_BYTES) return { content: this.content, isCompressed: false };
    this.compressed ??= gzipSync(this.content, { level: 1 });
    return { content: this.compressed, isCompressed: true };
  }
}

function send(request: IncomingMessage, response: ServerResponse, type: string, body: Body | undefined): void {
  if (!body) return text(response, 404, 'not found, or not read yet');
  const { content, isCompressed } = body.as(/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')));
  response.writeHead(200, {
    'content-type': type, 'content-length': content.length, ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  }).end(request.method === 'HEAD' ? undefined : content);
}
