import { Agent, request } from 'undici';

/** Asks Azure as its user would, past the controller. */
export class AzureReader {
  private readonly dispatcher: Agent;
  private token?: string;

  public constructor(private readonly environment: Readonly<Record<string, string>>, ca: string) {
    this.dispatcher = new Agent({ connect: { ca } });
  }

  /** The keys that a `list…` action of a resource answers. */
  public async post(id: string, action: string): Promise<Record<string, any>> {
    this.token ??= await this.signIn();
    const url = `${this.environment.AZURE_RESOURCE_MANAGER_ENDPOINT}${id}/${action}?api-version=2021-11-01`;
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      dispatcher: this.dispatcher,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`POST ${url}: ${statusCode} ${text}`);
    return JSON.parse(text) as Record<string, any>;
  }

  public close(): Promise<void> {
    return this.dispatcher.close();
  }

  private async signIn(): Promise<string> {
    const { AZURE_AUTHORITY_HOST, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_RESOURCE_MANAGER_AUDIENCE } =
      this.environment;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: AZURE_CLIENT_ID!,
      client_secret: AZURE_CLIENT_SECRET!,
      scope: `${AZURE_RESOURCE_MANAGER_AUDIENCE}/.default`,
    });
    const { body } = await request(`${AZURE_AUTHORITY_HOST}/${AZURE_TENANT_ID}/oauth2/v2.0/token`, {
      method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString(), dispatcher: this.dispatcher,
    });
    return ((await body.json()) as { access_token: string }).access_token;
  }
}
