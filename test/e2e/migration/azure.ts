import { readFileSync } from 'node:fs';
import { request as overTls } from 'node:https';
import type { TestCluster } from '../cluster';

export interface AzureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Requests to the simulated Azure as ASO would send them, and the control over how long its operations run. */
export class Azure {
  private readonly endpoint: string;
  private readonly ca: string;

  public constructor(private readonly environment: TestCluster['environment']) {
    this.endpoint = environment.AZURE_RESOURCE_MANAGER_ENDPOINT!;
    this.ca = readFileSync(environment.NODE_EXTRA_CA_CERTS!, 'utf8');
  }

  public get subscription(): string {
    return this.environment.AZURE_SUBSCRIPTION_ID!;
  }

  public async put(id: string, apiVersion: string, body: object): Promise<AzureAnswer> {
    const authorization = `Bearer ${await this.token()}`;
    return this.send('PUT', `${this.endpoint}${id}?api-version=${apiVersion}`, JSON.stringify(body), { authorization, 'content-type': 'application/json' });
  }

  /** From now on, no operation ends. */
  public async keepRunning(): Promise<void> {
    const text = JSON.stringify({ status: 'InProgress' });
    const fault = { method: 'GET', path: '/operation', status: 200, text, times: 100_000, headers: { 'retry-after': '30' } };
    await this.send('POST', `${this.endpoint}/__faults`, JSON.stringify(fault), { 'content-type': 'application/json' });
  }

  public async letEnd(): Promise<void> {
    await this.send('DELETE', `${this.endpoint}/__faults`);
  }

  private async token(): Promise<string> {
    const { environment: own } = this;
    const scope = `${this.endpoint}/.default`;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: own.AZURE_CLIENT_ID!, client_secret: own.AZURE_CLIENT_SECRET!, scope });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const authority = own.AZURE_AUTHORITY_HOST!.replace(/\/$/, '');
    const { text } = await this.send('POST', `${authority}/${own.AZURE_TENANT_ID}/oauth2/v2.0/token`, form.toString(), headers);
    return (JSON.parse(text) as { access_token: string }).access_token;
  }

  private send(method: string, url: string, body?: string, headers: Record<string, string> = {}): Promise<AzureAnswer> {
    return new Promise((resolve, reject) => {
      const call = overTls(url, { method, ca: this.ca, agent: false, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}
