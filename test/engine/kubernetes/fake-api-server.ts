import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anonymousAccess, Connection } from '../../../engine/kubernetes/connection';
import { RestClient } from '../../../engine/kubernetes/rest-client';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (seen: Seen, response: ServerResponse) => void;

/** An HTTP server whose answers the test scripts: one function an answer, in order; the last one stays. */
export class FakeApiServer {
  public static async start(): Promise<FakeApiServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fake = new FakeApiServer(server);
    server.on('request', (request, response) => void fake.answer(request, response));
    return fake;
  }

  public readonly seen: Seen[] = [];
  public readonly connection: Connection;
  public readonly client: RestClient;
  private readonly scripts: { readonly matches: (seen: Seen) => boolean; readonly answers: Answer[] }[] = [];

  private constructor(private readonly server: Server) {
    this.connection = new Connection(anonymousAccess(this.url), { userAgent: 'test', timeout: 60_000 });
    this.client = new RestClient(this.connection);
  }

  public get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers to `METHOD /path`; `watch` instead of the method for watches. */
  public on(what: string, ...answers: Answer[]): this {
    const [method, path] = what.split(' ');
    const isWatch = (seen: Seen) => seen.query.get('watch') === 'true';
    this.scripts.push({
      matches: (seen) => seen.path === path && (method === 'watch' ? isWatch(seen) : seen.method === method && !isWatch(seen)),
      answers,
    });
    return this;
  }

  public requests(what: string): Seen[] {
    const [method, path] = what.split(' ');
    return this.seen.filter(
      (seen) =>
        seen.path === path
        && (method === 'watch' ? seen.query.get('watch') === 'true' : seen.method === method && seen.query.get('watch') !== 'true'),
    );
  }

  public async stop(): Promise<void> {
    await this.connection.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    let body = '';
    for await (const part of request) body += part;
    const seen: Seen = { method: request.method!, path: url.pathname, query: url.searchParams, headers: request.headers, body };
    this.seen.push(seen);
    const script = this.scripts.find(({ matches }) => matches(seen));
    const answer = script && (script.answers.length > 1 ? script.answers.shift()! : script.answers[0]);
    (answer ?? status(404, 'NotFound', `no script for ${seen.method} ${seen.path}`))(seen, response);
  }
}

export function json(value: unknown, code = 200, headers: Record<string, string> = {}): Answer {
  return (_, response) => response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function status(code: number, reason: string, message: string, headers: Record<string, string> = {}): Answer {
  return json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code }, code, headers);
}

/** A page of a list. */
export function page(resourceVersion: string, items: readonly KubernetesObject[], next?: string): Answer {
  return json({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion, continue: next }, items });
}

/** A watch that tells these events and stays open. */
export function events(...all: readonly object[]): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const event of all) response.write(`${JSON.stringify(event)}\n`);
  };
}

/** A watch that tells these events and ends. */
export function eventsThenEnd(...all: readonly object[]): Answer {
  return (seen, response) => {
    events(...all)(seen, response);
    response.end();
  };
}

/** Hangs up without an answer. */
export const hangUp: Answer = (_, response) => response.socket!.destroy();

export const THING: ResourceType = { group: 'test.azure.com', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true };
export const THINGS = '/apis/test.azure.com/v1/things';

export function thing(
  name: string,
  resourceVersion: string | number,
  more: Partial<KubernetesObject['metadata']> = {},
  spec: Record<string, unknown> = {},
): KubernetesObject {
  return {
    apiVersion: 'test.azure.com/v1',
    kind: 'Thing',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...more },
    spec,
  };
}

export const bookmark = (resourceVersion: string | number) => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'test.azure.com/v1', kind: 'Thing', metadata: { resourceVersion: String(resourceVersion) } },
});
