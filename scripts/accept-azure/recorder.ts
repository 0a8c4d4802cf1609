import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as sendRequest, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { MadeCertificate } from '../../runtime/certificates/make-certificate';

/** A request to Azure and its answer, before anything is redacted. */
export interface Exchange {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly body?: string;
  readonly status: number;
  /** The headers that matter, by the names of the conformance cases. */
  readonly headers: Readonly<Record<string, string>>;
  readonly response: string;
  /** Whether the URL is one that Azure gave to follow an operation. */
  readonly isPoll: boolean;
  /** The sender: the controller, or the acceptance itself. */
  readonly by: 'controller' | 'acceptance';
  /** Number of exchanges that had ended when it began: those after them, and before its own place, went on beside it. */
  readonly begun: number;
}

export interface RecorderOptions {
  /** Azure Resource Manager: `https://management.azure.com`. */
  readonly endpoint: string;
  readonly token: () => Promise<string>;
  /** ARM id of the run's own group: writes anywhere else are refused, and never sent. */
  readonly group: string;
  readonly certificate: MadeCertificate;
  /** A file with further certificate authorities. */
  readonly caFile?: string | undefined;
}

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const KEPT_HEADERS = ['Content-Type', 'Location', 'Azure-AsyncOperation', 'Retry-After'] as const;
const FORWARDED = ['accept', 'content-type', 'if-match', 'if-none-match', 'x-ms-client-request-id'];
const HOP_BY_HOP = new Set(['connection', 'content-length', 'transfer-encoding', 'content-encoding', 'keep-alive']);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Other hosts of Azure Resource Manager that an answer may name, such as those of regions. */
const ARM_HOST = /(^|\.)management\.(azure\.com|usgovcloudapi\.net|chinacloudapi\.cn)$/;
const VIA = '/__via/';

/**
 * A server on loopback between the controller and Azure. It adds the token, keeps what goes through, and lets no write out of the group.
 */
export class Recorder {
  public static async start(options: RecorderOptions): Promise<Recorder> {
    const recorder = new Recorder(options);
    await new Promise<void>((resolve) => recorder.server.listen(0, '127.0.0.1', resolve));
    recorder.endpoint = `https://localhost:${(recorder.server.address() as AddressInfo).port}`;
    return recorder;
  }

  public readonly exchanges: Exchange[] = [];
  /** Writes outside of the group that were not sent. */
  public readonly refused: string[] = [];
  public endpoint = '';
  private readonly server: Server;
  private readonly agent: Agent;
  private readonly polls = new Set<string>();

  private constructor(private readonly options: RecorderOptions) {
    const { certificate: { cert, key }, caFile, endpoint } = options;
    const isLoopback = LOOPBACK.has(new URL(endpoint).hostname);
    // A simulator on this machine has a certificate of its own.
    this.agent = new Agent({
      keepAlive: true, rejectUnauthorized: !isLoopback, ...(caFile && { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] }),
    });
    this.server = createServer({ cert, key }, (request, response) => {
      this.serve(request, response).catch((error: Error) => {
        if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: 'BadGateway', message: error.message } }));
      });
    });
  }

  /** Sends a request of the acceptance itself. Throws for a write outside of the group. */
  public async send(method: string, pathAndQuery: string, body?: unknown): Promise<Answer> {
    const url = new URL(pathAndQuery, this.options.endpoint);
    const refusal = this.refusalOf(method, url.pathname);
    if (refusal) throw new Error(refusal);
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.forward({ method, url, headers, body: body === undefined ? undefined : JSON.stringify(body) }, 'acceptance');
  }

  public async close(): Promise<void> {
    this.server.closeAllConnections();
    this.agent.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(value));
    };
    const [path = ''] = request.url!.split('?');
    const login = this.login(path);
    if (login) return json(200, login);
    const url = this.upstream(request.url!);
    const method = request.method!;
    const refusal = this.refusalOf(method, url.pathname);
    if (refusal) {
      this.refused.push(`${method} ${url.pathname}`);
      return json(403, { error: { code: 'AuthorizationFailed', message: refusal } });
    }
    const headers = Object.fromEntries(FORWARDED.flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])));
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString('utf8') : undefined;
    const answer = await this.forward({ method, url, headers, body }, 'controller');
    const given = Object.entries(answer.headers).map(([name, value]) => [name, this.downstream(value)]);
    response.writeHead(answer.status, Object.fromEntries(given) as Record<string, string>);
    response.end(method === 'HEAD' ? undefined : this.downstream(answer.text));
  }

  private async forward({ method, url, headers, body }: Sent, by: Exchange['by']): Promise<Answer> {
    const authorization = `Bearer ${await this.options.token()}`;
    const begun = this.exchanges.length;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const request = sendRequest(url, { method, agent: this.agent, headers: { ...headers, authorization, 'accept-encoding': 'identity' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({
          status: response.statusCode!, headers: textHeaders(response.headers), text: Buffer.concat(chunks).toString('utf8'),
        }));
      });
      request.on('error', reject);
      request.end(body);
    });
    this.keep({ method, url, body }, answer, { by, begun });
    return answer;
  }

  private keep({ method, url, body }: Omit<Sent, 'headers'>, { status, headers, text }: Answer, origin: Pick<Exchange, 'by' | 'begun'>): void {
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.exchanges.push({
      method,
      host: url.host,
      path: url.pathname,
      query: url.search.slice(1),
      ...(body !== undefined && { body }),
      status,
      headers: Object.fromEntries(kept),
      response: text,
      isPoll: this.polls.has(url.href),
      ...origin,
    });
    for (const name of ['location', 'azure-asyncoperation']) if (headers[name]) this.polls.add(new URL(headers[name], url).href);
  }

  private refusalOf(method: string, path: string): string | undefined {
    if (method === 'GET' || method === 'HEAD') return undefined;
    const asked = normalized(path);
    if (asked === '/providers/microsoft.resourcegraph/resources') return undefined;
    const own = normalized(this.options.group);
    return asked === own || asked?.startsWith(`${own!}/`) ? undefined : 'the acceptance writes to its own resource group alone';
  }

  private upstream(url: string): URL {
    if (!url.startsWith(VIA)) return new URL(url, this.options.endpoint);
    const [host = '', ...rest] = url.slice(VIA.length).split('/');
    if (!ARM_HOST.test(host)) throw new Error(`${host} is no host of Azure Resource Manager`);
    return new URL(`/${rest.join('/')}`, `https://${host}`);
  }

  /** URLs of Azure in an answer, as the controller is to call them. */
  private downstream(text: string): string {
    return text.replaceAll(new URL(this.options.endpoint).origin, this.endpoint)
      .replaceAll(/https:\/\/([a-z0-9.-]+)(?=[/:])/gi, (url, host: string) => (ARM_HOST.test(host) ? `${this.endpoint}${VIA}${host}` : url));
  }

  /** The controller signs in here with values that are no secrets; the real token never leaves this process. */
  private login(path: string): unknown {
    if (/\/oauth2\/(v2\.0\/)?token$/.test(path)) {
      return { token_type: 'Bearer', expires_in: 3600, ext_expires_in: 3600, access_token: 'recorder' };
    }
    const tenant = path.split('/')[1];
    if (path.endsWith('/.well-known/openid-configuration')) {
      const base = `${this.endpoint}/${tenant}`;
      return {
        token_endpoint: `${base}/oauth2/v2.0/token`, authorization_endpoint: `${base}/oauth2/v2.0/authorize`, issuer: `${base}/v2.0`, jwks_uri: `${base}/discovery/v2.0/keys`,
      };
    }
    if (path.includes('/discovery/instance')) {
      return { tenant_discovery_endpoint: `${this.endpoint}/common/v2.0/.well-known/openid-configuration`, metadata: [] };
    }
    return undefined;
  }
}

/** The path as Azure takes it; undefined where it is not clear which resource is meant. */
function normalized(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path).toLowerCase().replace(/\/+$/, '');
    return /\/\.{1,2}(\/|$)|\/\/|%|\\/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
