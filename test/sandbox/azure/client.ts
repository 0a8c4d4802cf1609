import { Agent, request as httpsRequest } from 'node:https';
import { createSecureContext } from 'node:tls';
import { startAzure, type AzureOptions, type AzureSimulator } from '../../../sandbox/azure';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: any;
}

/** A clock that a test moves. Sleeping takes no time. */
export class TestClock {
  private time = Date.parse('2026-01-01T00:00:00Z');
  public now = (): number => this.time;
  public sleep = async (): Promise<void> => undefined;
  public advance(seconds: number): void {
    this.time += seconds * 1000;
  }
}

export const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';
export const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/group`;

/**
 * A simulator in Azure's own seconds with a clock that stands still, and a client that has a token. It takes bodies that say next to
 * nothing, unless a test asks for Azure's rules.
 */
export class Azure {
  /** Bodies may break Azure's rules unless `rules` is true: most tests are about something else, and have the least of a body. */
  public static async start(options: AzureOptions = {}): Promise<Azure> {
    const clock = new TestClock();
    const simulator = await startAzure({ clock, timeScale: 1, rules: false, ...options });
    const azure = new Azure(simulator, clock);
    await azure.login();
    return azure;
  }

  private token = '';
  /** Each request has a connection of its own; they have one TLS session. */
  private readonly agent: Agent;

  private constructor(public readonly simulator: AzureSimulator, public readonly clock: TestClock) {
    this.agent = new Agent({ secureContext: createSecureContext({ ca: simulator.caPem }) });
  }

  public async login(): Promise<void> {
    const reply = await this.tokenRequest({});
    this.token = reply.body.access_token;
  }

  public tokenRequest(changes: Record<string, string | undefined>): Promise<Reply> {
    const { env } = this.simulator;
    const form = {
      grant_type: 'client_credentials',
      client_id: env.AZURE_CLIENT_ID,
      client_secret: env.AZURE_CLIENT_SECRET,
      scope: `${env.AZURE_RESOURCE_MANAGER_AUDIENCE}/.default`,
      ...changes,
    };
    const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return this.raw('POST', `/${env.AZURE_TENANT_ID}/oauth2/v2.0/token`, new URLSearchParams(given).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  }

  /** A request with a token and, unless the path has a query, an api-version. */
  public send(method: string, path: string, body?: unknown): Promise<Reply> {
    const url = path.includes('?') ? path : `${path}?api-version=2024-01-01`;
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return this.raw(method, url, text, { 'authorization': `Bearer ${this.token}`, 'content-type': 'application/json' });
  }

  public get = (path: string) => this.send('GET', path);
  public put = (path: string, body: unknown) => this.send('PUT', path, body);
  public delete = (path: string) => this.send('DELETE', path);

  public raw(method: string, path: string, text?: string, headers: Record<string, string> = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const url = new URL(path, this.simulator.endpoint);
      const request = httpsRequest(url, { method, headers, agent: this.agent }, (response) => {
        let all = '';
        response.on('data', (chunk) => (all += chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, body: all && JSON.parse(all) }),
        );
      });
      request.on('error', reject);
      request.end(text);
    });
  }

  public async group(location = 'uksouth'): Promise<void> {
    await this.put(GROUP, { location });
  }

  public close = (): Promise<void> => this.simulator.close();
}
