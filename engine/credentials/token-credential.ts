import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/core-auth';
import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline';
import type * as identity from '@azure/identity';
import type { Authentication } from './authentication';
import { parseClientCertificate } from './certificate';
import { isForeignAuthority, isTokenHost, type Cloud } from './cloud';
import { TOKEN_AUDIENCE, type NamespaceTokens } from './namespace-tokens';
import { tokenError, type TokenRequestFacts } from './token-error';
import { CredentialError } from './types';
import { isText, struct } from '../../src/util/records';
import { FileSizeError, readBoundedFile } from '../bounded-file';
import { boundedHttpClient, type HttpLimits } from '../http/bounded-client';
import { startDeadline } from '../http/deadline';

/** Loads the identity library. Loading is slow, so it happens with the first token. */
export type LoadIdentity = () => Promise<
  Pick<
    typeof identity,
    | 'ClientSecretCredential'
    | 'ClientCertificateCredential'
    | 'ClientAssertionCredential'
    | 'WorkloadIdentityCredential'
    | 'ManagedIdentityCredential'
  >
>;

export const loadIdentity: LoadIdentity = () => import('@azure/identity');

/**
 * Of one request for a token, or for the endpoints of an authority. Tokens of Entra have been seen with 11 KB; one of more than 64 KiB
 * would fit into no header, and the library keeps the tokens of up to a thousand credentials.
 * @see https://github.com/Azure/azure-managed-grafana/issues/62 and https://github.com/Azure/AppConfiguration/issues/233
 */
export const TOKEN_LIMITS: HttpLimits = { from: 'a token endpoint', maxBodyBytes: 64 * 1024, timeoutMs: 30_000 };
/** Of an identity file, or a file with a token: a certificate with its chain needs some 10 KiB. */
export const MAX_IDENTITY_FILE_BYTES = 256 * 1024;
/** Of a token as a whole: its requests, and what the library waits between them. Milliseconds. */
export const TOKEN_TIMEOUT = 120_000;

export interface TokenCredentialOptions {
  /** Source of the values, for messages: `credential Secret "a/b"`. */
  readonly where?: string;
  readonly load?: LoadIdentity | undefined;
  /** Only for the mode `namespaceIdentity`. */
  readonly namespaceTokens?: Pick<NamespaceTokens, 'token'> | undefined;
  readonly now?: () => number;
  /** For tests. Default: Node's HTTPS with keep-alive. */
  readonly httpClient?: HttpClient | undefined;
}

/** A credential of the identity library, created with the first token. Its `getToken` throws CredentialError. */
export function tokenCredential(authentication: Authentication, cloud: Cloud, options: TokenCredentialOptions = {}): TokenCredential {
  const { load = loadIdentity, namespaceTokens, httpClient } = options;
  // The endpoints of a managed identity are in the pod's environment; those of an authority may be in the answers of a tenant's server.
  const allows = authentication.mode === 'managedIdentity' ? undefined : (url: URL) => isTokenHost(cloud, url);
  const transport = new TokenTransport(boundedHttpClient({ ...TOKEN_LIMITS, ...(allows ? { allows } : {}) }, httpClient));
  const credential = authentication.mode === 'identityFile'
    ? new IdentityFileCredential(authentication.file, cloud, load, transport)
    : new LazyCredential(async () => create(authentication, cloud, await load(), transport, namespaceTokens));
  return new ExplainedCredential(authentication, cloud, credential, transport, options);
}

/** Keeps why the last request failed: the library replaces it by an error that does not say. */
class TokenTransport implements HttpClient {
  public failure: unknown;

  public constructor(private readonly client: HttpClient) {}

  public async sendRequest(...args: Parameters<HttpClient['sendRequest']>): ReturnType<HttpClient['sendRequest']> {
    this.failure = undefined;
    try {
      const answer = await this.client.sendRequest(...args);
      this.failure = refusalIn(answer);
      return answer;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/**
 * Entra refuses the OpenID configuration of a tenant that does not exist, of which the library says that endpoints cannot be resolved.
 * @see https://github.com/panva/openid-client/issues/175 and https://github.com/james-gould/azure-keyvault-emulator/issues/324
 */
function refusalIn({ status, bodyAsText }: PipelineResponse): Error | undefined {
  if (status < 400 || !bodyAsText) return undefined;
  try {
    const { error, error_description: description } = struct(JSON.parse(bodyAsText)) ?? {};
    return typeof error === 'string' ? new Error([error, ...(isText(description) ? [description] : [])].join(': ')) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces failures by errors that explain the cause and the fix, without secrets. */
class ExplainedCredential implements TokenCredential {
  public constructor(
    private readonly authentication: Authentication,
    private readonly cloud: Cloud,
    private readonly credential: TokenCredential,
    private readonly transport: TokenTransport,
    private readonly options: TokenCredentialOptions,
  ) {}

  public async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null> {
    const { authentication } = this;
    this.refuseForeignCloud();
    this.refuseExpired();
    // The library hides the reason why an assertion is unavailable, so the token is requested first.
    const requested =
      authentication.mode === 'namespaceIdentity' ? await this.options.namespaceTokens?.token(authentication.namespace) : undefined;
    // The library ignores the signal, and waits as long as a server asks it to.
    const deadline = startDeadline(TOKEN_TIMEOUT, 'token', options?.abortSignal);
    this.transport.failure = undefined;
    try {
      return await Promise.race([this.credential.getToken(scopes, options), deadline.expired]);
    } catch (error) {
      if (options?.abortSignal?.aborted) throw error;
      const { clientId, tenantId } =
        'tenantId' in authentication ? authentication : { clientId: 'clientId' in authentication ? authentication.clientId : undefined };
      const assertion =
        requested ?? (authentication.mode === 'workloadIdentity' ? await projectedToken(authentication.tokenFile) : undefined);
      const facts: TokenRequestFacts = { ...this.facts, clientId, tenantId: options?.tenantId ?? tenantId, assertion };
      throw tokenError(this.transport.failure ?? error, facts);
    } finally {
      deadline.clear();
    }
  }

  private get facts(): TokenRequestFacts {
    const { authentication: { mode }, options: { where = 'credential' }, cloud: { authorityHost } } = this;
    return { where, mode, authorityHost, secrets: secretsOf(this.authentication) };
  }

  /** A foreign cloud may receive only a secret from the Secret itself. That server could reuse any other token it receives. */
  private refuseForeignCloud(): void {
    const { authentication: { mode }, cloud, options: { where = 'credential' } } = this;
    if (!cloud.isForeign || mode === 'clientSecret' || mode === 'certificate') return;
    throw new CredentialError(
      `the ${where} names a cloud (authority ${hostIn(cloud.authorityHost)}, Azure Resource Manager at ${hostIn(cloud.endpoint)}) that is neither one of Azure's nor `
      + 'the controller\'s own: no token of the controller, of its pod or of a service account is sent there. Sign in with AZURE_CLIENT_SECRET or '
      + 'AZURE_CLIENT_CERTIFICATE, correct the cloud, or remove its three keys');
  }

  private refuseExpired(): void {
    const { authentication, options: { where = 'credential', now = Date.now } } = this;
    const expires = authentication.mode === 'certificate' ? authentication.certificate.expires : undefined;
    if (expires === undefined || expires > now()) return;
    throw new CredentialError(
      `the certificate under key "AZURE_CLIENT_CERTIFICATE" of the ${where} expired on ${new Date(expires).toISOString()}: register a new one in Entra and put it there with its private key`,
      'CredentialExpired');
  }
}

function hostIn(url: string): string {
  return new URL(url).host;
}

/** The token in the file that the identity library also reads. Throws CredentialError. */
async function projectedToken(file: string): Promise<string> {
  try {
    return (await readBoundedFile(file, MAX_IDENTITY_FILE_BYTES))!.text.trim();
  } catch (error) {
    const code = error instanceof FileSizeError ? error.message : (error as { code?: string }).code ?? 'unknown error';
    throw new CredentialError(
      `the token file ${file} cannot be read (${code}): the controller's pod needs a projected service account token with audience "${TOKEN_AUDIENCE}" there`,
      'CredentialUnavailable');
  }
}

function secretsOf(authentication: Authentication): string[] {
  if (authentication.mode === 'clientSecret') return [authentication.clientSecret];
  return authentication.mode === 'certificate' ? [authentication.certificate.pem] : [];
}

class LazyCredential implements TokenCredential {
  private made: Promise<TokenCredential> | undefined;

  public constructor(private readonly make: () => Promise<TokenCredential>) {}

  public async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null> {
    this.made ??= this.start();
    return (await this.made).getToken(scopes, options);
  }

  private start(): Promise<TokenCredential> {
    const made = this.make();
    made.catch(() => (this.made = undefined));
    return made;
  }
}

type Library = Awaited<ReturnType<LoadIdentity>>;

function create(
  authentication: Exclude<Authentication, { mode: 'identityFile' }>,
  cloud: Cloud,
  library: Library,
  httpClient: HttpClient,
  namespaceTokens?: Pick<NamespaceTokens, 'token'>,
): TokenCredential {
  if (authentication.mode === 'managedIdentity') {
    return new library.ManagedIdentityCredential({
      httpClient, ...(authentication.clientId ? { clientId: authentication.clientId } : {}),
    });
  }
  const { tenantId, clientId } = authentication;
  const options = { ...authorityOptions(cloud), httpClient, additionallyAllowedTenants: [...authentication.additionalTenants] };
  switch (authentication.mode) {
    case 'clientSecret':
      return new library.ClientSecretCredential(tenantId, clientId, authentication.clientSecret, options);
    case 'certificate':
      return new library.ClientCertificateCredential(tenantId, clientId, { certificate: authentication.certificate.pem }, options);
    case 'workloadIdentity':
      return new library.WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath: authentication.tokenFile, ...options });
    case 'namespaceIdentity': {
      const { namespace } = authentication;
      if (!namespaceTokens) throw new Error('a namespace identity was made without a source of tokens');
      return new library.ClientAssertionCredential(tenantId, clientId, () => namespaceTokens.token(namespace), options);
    }
  }
}

/** Disables instance discovery for an authority that Microsoft does not know (an air-gapped cloud, a simulator). */
function authorityOptions(cloud: Cloud): { authorityHost: string; disableInstanceDiscovery: boolean } {
  return { authorityHost: cloud.authorityHost, disableInstanceDiscovery: isForeignAuthority(cloud.authorityHost) };
}

interface IdentityFile {
  readonly client_id?: string;
  readonly tenant_id?: string;
  /** base64 of a PKCS#12 file without password. */
  readonly client_secret?: string;
}

/** The credential in the file of a first-party identity; recreated whenever the file changes. */
class IdentityFileCredential implements TokenCredential {
  private current?: { readonly changedMs: number; readonly credential: TokenCredential };

  public constructor(
    private readonly file: string,
    private readonly cloud: Cloud,
    private readonly load: LoadIdentity,
    private readonly httpClient: HttpClient,
  ) {}

  public async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null> {
    const read = await this.changed();
    if (read) this.current = { changedMs: read.changedMs, credential: await this.credentialOf(read.text) };
    return this.current!.credential.getToken(scopes, options);
  }

  /** The file, unless it is known. The path may come from a Secret. */
  private async changed(): ReturnType<typeof readBoundedFile> {
    try {
      return await readBoundedFile(this.file, MAX_IDENTITY_FILE_BYTES, this.current?.changedMs);
    } catch (error) {
      const code = (error as { code?: string }).code ?? 'unknown error';
      const message = error instanceof FileSizeError ? error.message : `${this.file} cannot be read: ${code}`;
      throw new CredentialError(`the identity file ${message}`, 'CredentialUnavailable');
    }
  }

  private async credentialOf(text: string): Promise<TokenCredential> {
    const { ClientCertificateCredential } = await this.load();
    const where = `identity file ${this.file}`;
    const { client_id: clientId, tenant_id: tenantId, client_secret: pkcs12 } = parseFile(text, where);
    if (!clientId || !tenantId || !pkcs12) throw new CredentialError(`${where} needs client_id, tenant_id and client_secret`);
    const certificate = parseClientCertificate(Buffer.from(pkcs12, 'base64'), undefined, `${where}: client_secret`);
    const options = { ...authorityOptions(this.cloud), httpClient: this.httpClient, sendCertificateChain: true };
    return new ClientCertificateCredential(tenantId, clientId, { certificate: certificate.pem }, options);
  }
}

function parseFile(text: string, where: string): IdentityFile {
  try {
    return (JSON.parse(text) ?? {}) as IdentityFile;
  } catch {
    throw new CredentialError(`${where} is no JSON`);
  }
}
