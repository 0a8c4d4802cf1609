import { readFile, stat } from 'node:fs/promises';
import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/core-auth';
import type * as identity from '@azure/identity';
import type { Authentication } from './authentication';
import { parseClientCertificate } from './certificate';
import { isForeignAuthority, type Cloud } from './cloud';
import { CredentialError } from './types';

/** The identity library. It takes its time to load, so that is done with the first token. */
export type LoadIdentity = () => Promise<Pick<typeof identity,
'ClientSecretCredential' | 'ClientCertificateCredential' | 'WorkloadIdentityCredential' | 'ManagedIdentityCredential'>>;

export const loadIdentity: LoadIdentity = () => import('@azure/identity');

/** A credential of the identity library, made when the first token is asked for. */
export function tokenCredential(authentication: Authentication, cloud: Cloud, load: LoadIdentity = loadIdentity): TokenCredential {
  if (authentication.mode === 'identityFile') return new IdentityFileCredential(authentication.file, cloud, load);
  return new LazyCredential(async () => create(authentication, cloud, await load()));
}

class LazyCredential implements TokenCredential {
  private made?: Promise<TokenCredential>;

  public constructor(private readonly make: () => Promise<TokenCredential>) {}

  public async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null> {
    if (!this.made) {
      const made = this.make();
      this.made = made;
      made.catch(() => (this.made = undefined));
    }
    return (await this.made).getToken(scopes, options);
  }
}

type Library = Awaited<ReturnType<LoadIdentity>>;

function create(authentication: Exclude<Authentication, { mode: 'identityFile' }>, cloud: Cloud, library: Library): TokenCredential {
  if (authentication.mode === 'managedIdentity') {
    return new library.ManagedIdentityCredential(authentication.clientId ? { clientId: authentication.clientId } : {});
  }
  const { tenantId, clientId } = authentication;
  const options = { ...authorityOptions(cloud), additionallyAllowedTenants: [...authentication.additionalTenants] };
  switch (authentication.mode) {
    case 'clientSecret':
      return new library.ClientSecretCredential(tenantId, clientId, authentication.clientSecret, options);
    case 'certificate':
      return new library.ClientCertificateCredential(tenantId, clientId, { certificate: authentication.certificate.pem }, options);
    case 'workloadIdentity':
      return new library.WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath: authentication.tokenFile, ...options });
  }
}

/** An authority that Microsoft does not know (an air-gapped cloud, a simulator) is not looked up at Microsoft. */
function authorityOptions(cloud: Cloud): { authorityHost: string; disableInstanceDiscovery: boolean } {
  return { authorityHost: cloud.authorityHost, disableInstanceDiscovery: isForeignAuthority(cloud.authorityHost) };
}

interface IdentityFile {
  readonly client_id?: string;
  readonly tenant_id?: string;
  /** base64 of a PKCS#12 file without password. */
  readonly client_secret?: string;
}

/** The file of a first-party identity: made anew whenever the file has changed. */
class IdentityFileCredential implements TokenCredential {
  private current?: { readonly changed: number; readonly credential: TokenCredential };

  public constructor(private readonly file: string, private readonly cloud: Cloud, private readonly load: LoadIdentity) {}

  public async getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null> {
    const changed = await this.changed();
    if (this.current?.changed !== changed) this.current = { changed, credential: await this.read() };
    return this.current.credential.getToken(scopes, options);
  }

  private async changed(): Promise<number> {
    try {
      return (await stat(this.file)).mtimeMs;
    } catch (error) {
      throw new CredentialError(`the identity file ${this.file} cannot be read: ${(error as { code?: string }).code ?? 'unknown error'}`);
    }
  }

  private async read(): Promise<TokenCredential> {
    const { ClientCertificateCredential } = await this.load();
    const where = `identity file ${this.file}`;
    const { client_id: clientId, tenant_id: tenantId, client_secret: pkcs12 } = parseFile(await readFile(this.file, 'utf8'), where);
    if (!clientId || !tenantId || !pkcs12) throw new CredentialError(`${where} needs client_id, tenant_id and client_secret`);
    const certificate = parseClientCertificate(Buffer.from(pkcs12, 'base64'), undefined, `${where}: client_secret`);
    const options = { ...authorityOptions(this.cloud), sendCertificateChain: true };
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
