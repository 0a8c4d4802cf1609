import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from '../../engine/credentials/certificates';

/** Secrets of the services that must not be disclosed. */
export interface QuotedSecrets {
  /** A bearer token that is given out, and one that is no JSON Web Token. */
  readonly bearer: string;
  readonly opaqueBearer: string;
  /** In the query of operation URLs. */
  readonly signature: string;
  /** The answer of `listKeys`. */
  readonly key: string;
}

type Handled = [status: number, body: unknown, headers?: Record<string, string>];

/**
 * A token endpoint and an Azure Resource Manager of the worst manners: whatever they refuse, they quote what they were sent. Names tell
 * what happens: `tenant-refused` and `…-refused`, `…-plain` (a text that is no JSON), `…-operation` (its operation fails), `…-later` (an
 * operation that does not end), `…-poll` (one whose polls fail); everything else is accepted.
 */
export class QuotingAzure {
  public readonly paths: string[] = [];
  private readonly resources = new Map<string, Record<string, unknown>>();
  /** Bodies, by name. */
  private readonly sent = new Map<string, string>();
  private readonly server: Server;

  public constructor(
    certificate: TestCertificate,
    private readonly secrets: QuotedSecrets,
  ) {
    this.server = createServer(
      { cert: certificate.certificate, key: certificate.key },
      (request, response) => void this.answer(request, response),
    );
  }

  public async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  public get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  public async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url!, this.url);
    this.paths.push(`${request.method} ${url.pathname}`);
    const [status, answer, headers] = url.pathname.startsWith('/subscriptions/')
      ? this.resource(request, url, body)
      : this.token(url, body);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    response.writeHead(status, { 'content-type': typeof answer === 'string' ? 'text/plain' : 'application/json', ...headers }).end(text);
  }

  private token({ pathname }: URL, body: string): Handled {
    const tenant = pathname.split('/')[1];
    const base = `${this.url}/${tenant}`;
    if (pathname.endsWith('openid-configuration')) {
      return [
        200,
        {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/oauth2/v2.0/token`,
          jwks_uri: `${base}/keys`,
        },
      ];
    }
    const sent = new URLSearchParams(body);
    if (!tenant!.endsWith('refused')) {
      return [
        200,
        {
          token_type: 'Bearer',
          expires_in: 3600,
          access_token: tenant!.includes('opaque') ? this.secrets.opaqueBearer : this.secrets.bearer,
        },
      ];
    }
    const quoted = `secret '${sent.get('client_secret')}' assertion '${sent.get('client_assertion')}' body ${body}`;
    return [
      401,
      {
        error: 'invalid_client',
        error_description: `AADSTS7000215: Invalid client secret provided: ${quoted} Trace ID: 1`,
        error_codes: [7000215],
      },
    ];
  }

  private resource({ method, headers }: IncomingMessage, { pathname, searchParams }: URL, body: string): Handled {
    if (pathname.includes('/operations/')) return this.operation(pathname, searchParams);
    if (method === 'POST') {
      return [
        200,
        {
          keys: [
            { keyName: 'key1', value: this.secrets.key },
            { keyName: 'key2', value: this.secrets.key },
          ],
        },
      ];
    }
    const stored = this.resources.get(pathname.toLowerCase());
    if (method === 'GET') return stored ? [200, stored] : [404, { error: { code: 'ResourceNotFound', message: 'not found' } }];
    const name = pathname.split('/').at(-1)!;
    const quoted = `of ${headers.authorization}: ${body}`;
    const details = [{ code: 'Inner', message: `${'x'.repeat(400)} ${quoted}`, target: body }];
    if (name.endsWith('refused')) {
      return [400, { error: { code: 'InvalidParameterValue', message: `The request ${quoted} is wrong`, details } }];
    }
    // Cut off by whoever shows it, in the middle of what is quoted.
    if (name.endsWith('plain')) {
      return [500, `<html>${' '.repeat(3)}${'y'.repeat(350)} ${body.slice(body.indexOf('administratorLoginPassword'))} ${quoted}</html>`];
    }
    const made = { ...(JSON.parse(body) as object), id: pathname, name };
    this.resources.set(pathname.toLowerCase(), { ...made, properties: { provisioningState: 'Succeeded' } });
    if (!/operation|later|poll/.test(name)) return [200, this.resources.get(pathname.toLowerCase())];
    this.sent.set(name, body);
    return [
      201,
      made,
      { 'azure-asyncoperation': `${this.url}/subscriptions/x/operations/${name}?api-version=2020-01-01&t=1&s=${this.secrets.signature}` },
    ];
  }

  private operation(pathname: string, query: URLSearchParams): Handled {
    const name = pathname.split('/').at(-1)!;
    const quoted = `${this.sent.get(name)} (${query.get('s')})`;
    if (name.endsWith('later')) return [200, { status: 'InProgress' }, { 'retry-after': '1' }];
    if (name.endsWith('poll')) return [503, { error: { code: 'Busy', message: this.sent.get(name) } }];
    return [
      200,
      {
        status: 'Failed',
        error: {
          code: 'ProvisioningFailed',
          message: `could not make ${this.sent.get(name)}`,
          details: [{ code: 'Inner', message: quoted }],
        },
      },
    ];
  }
}
