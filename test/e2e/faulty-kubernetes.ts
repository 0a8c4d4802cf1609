import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the Kubernetes API, as the proxy sees it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly userAgent: string;
  /** Of the URL, e.g. `namespaces`; of a subresource, its resource. */
  readonly resource: string;
  readonly isWatch: boolean;
  /** GET of a collection that is not a watch. */
  readonly isList: boolean;
}

/** Fate of a request; `undefined`: it goes through. */
export type Disturbance =
  | { readonly delayMs: number }
  /** A Kubernetes `Status` in the place of the answer. */
  | { readonly status: number; readonly message?: string }
  /** The connection is cut after so many bytes of the answer's body. */
  | { readonly cutAfterBytes: number }
  /** No answer, as long as the proxy runs. */
  | 'hang'
  | 'reset';

/** A proxy in front of a Kubernetes API without TLS, whose requests can be delayed, refused, cut or lost. */
export class FaultyKubernetes {
  public static async start(target: string): Promise<FaultyKubernetes> {
    const proxy = new FaultyKubernetes(new URL(target));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Asked for each request before it goes on. */
  public disturb: ((request: ProxiedRequest) => Disturbance | undefined) | undefined;
  /** Every request so far. */
  public readonly requests: ProxiedRequest[] = [];
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((incoming, response) => void this.pass(incoming, response));
  }

  public get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A kubeconfig (JSON is YAML) whose only context is this proxy. */
  public kubeconfig(): string {
    return JSON.stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'clusters': [{ name: 'proxy', cluster: { server: this.url } }],
      'users': [{ name: 'nobody', user: {} }],
      'contexts': [{ name: 'proxy', context: { cluster: 'proxy', user: 'nobody' } }],
      'current-context': 'proxy',
    });
  }

  /** Cuts all connections; what goes on is asked anew. */
  public cutConnections(): void {
    this.server.closeAllConnections();
  }

  public async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = describe(incoming);
    this.requests.push(seen);
    const disturbance = this.disturb?.(seen);
    if (disturbance === 'hang') return;
    if (disturbance === 'reset') return void incoming.socket.destroy();
    if (disturbance && 'delayMs' in disturbance) await new Promise((resolve) => setTimeout(resolve, disturbance.delayMs));
    if (disturbance && 'status' in disturbance) return refuse(response, disturbance);
    this.forward(incoming, response, disturbance && 'cutAfterBytes' in disturbance ? disturbance.cutAfterBytes : undefined);
  }

  private forward(incoming: IncomingMessage, response: ServerResponse, cutAfterBytes?: number): void {
    const { method, headers, url } = incoming;
    const { hostname, port } = this.target;
    const outgoing = request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (cutAfterBytes === undefined) return void answer.pipe(response);
      let left = cutAfterBytes;
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, Math.max(left, 0)));
        left -= chunk.length;
        if (left <= 0) incoming.socket.destroy();
      });
      answer.on('end', () => incoming.socket.destroy());
    });
    outgoing.on('error', () => incoming.socket.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}

function refuse(
  response: ServerResponse,
  { status, message = 'refused by the test' }: { readonly status: number; readonly message?: string },
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: status === 403 ? 'Forbidden' : 'InternalError',
      code: status,
      message,
    }),
  );
}

/** `/api/v1/namespaces/NAME/RESOURCE/…`, `/apis/GROUP/VERSION/…` and the cluster-scoped forms of both. */
function describe({ method = 'GET', url = '/', headers }: IncomingMessage): ProxiedRequest {
  const { pathname, searchParams } = new URL(url, 'http://proxy');
  const [root, ...parts] = pathname.split('/').filter(Boolean);
  const rest = parts.slice(root === 'api' ? 1 : 2);
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name] = inNamespace ? rest.slice(2) : rest;
  const isCollection = resource !== '' && name === undefined && method === 'GET';
  const isWatch = isCollection && /^(1|true)$/.test(searchParams.get('watch') ?? '');
  return {
    method,
    path: pathname,
    query: searchParams,
    userAgent: headers['user-agent'] ?? '',
    resource,
    isWatch,
    isList: isCollection && !isWatch,
  };
}
