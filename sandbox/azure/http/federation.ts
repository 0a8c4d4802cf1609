import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import type { Answer } from '../model/answer';
import { identityWithClientId } from '../model/identities';
import type { Simulation } from '../model/simulation';
import { scaled } from '../model/simulation';
import type { Json, Resource } from '../model/store';

/** A cluster, or whoever else issues tokens that identities trust. */
export interface TokenIssuer {
  readonly issuer: string;
  /** Read at each assertion; absent: signatures are not checked. */
  readonly keys?: () => readonly (JsonWebKey & { readonly kid: string })[];
  /**
   * Its tokens count for federated credentials of any issuer: the embedded cluster stands for those that the manifests were written for.
   */
  readonly standsForAll?: boolean;
}

/** A federated credential of an identity: the issuer and subject of the tokens that it accepts. */
export interface FederatedCredential {
  readonly clientId: string;
  readonly issuer: string;
  /** `system:serviceaccount:<namespace>:<name>` */
  readonly subject: string;
  /** Default: `api://AzureADTokenExchange`. */
  readonly audiences?: readonly string[];
}

export interface FederationOptions {
  readonly issuers?: readonly TokenIssuer[];
  /** Of identities that are not made in the simulator, e.g. the controller's own. */
  readonly credentials?: readonly FederatedCredential[];
  /** Whether client ids that nobody knows here are refused. Default false: they stand for identities that were made elsewhere. */
  readonly refuseUnknownClients?: boolean;
  /**
   * Azure's seconds until the identity platform knows a new federated credential: 15 to 120 in Azure. Default: that of principals, else 0.
   */
  readonly delaySeconds?: number;
}

const AUDIENCE = 'api://AzureADTokenExchange';
/** Clocks may differ by this much. */
const SKEW = 300;
const CHECK = 'Please check your federated identity credential Subject, Audience and Issuer against the presented assertion. https://learn.microsoft.com/entra/workload-id/workload-identity-federation';

interface Assertion {
  readonly header: Json;
  readonly claims: Json;
  readonly signed: string;
  readonly signature: Buffer;
}

/** The identity platform's verdict on the assertion of a client, which it compares with the federated credentials of the identity. */
export class Federation {
  public constructor(private readonly options: FederationOptions, private readonly simulation: () => Simulation) {}

  /** Whether the client id is that of an identity that was made here: it has no secret. */
  public isManagedIdentity(clientId: string): boolean {
    return this.identityOf(clientId) !== undefined;
  }

  /** Why the assertion is refused; undefined: it is as good as a password. */
  public check(clientId: string, text: string): Answer | undefined {
    const identity = this.identityOf(clientId);
    const configured = (this.options.credentials ?? []).filter((credential) => same(credential.clientId, clientId));
    if (!identity && configured.length === 0) {
      const isDeleted = this.simulation().clients.has(clientId.toLowerCase());
      return isDeleted || this.options.refuseUnknownClients ? unknownClient(clientId, this.simulation().tenantId) : undefined;
    }
    if (identity && !this.isKnown(identity, this.simulation().principalDelaySeconds)) {
      return unknownClient(clientId, this.simulation().tenantId);
    }
    const assertion = parsed(text);
    if (!assertion) return refused('AADSTS50027', 'JWT token is invalid or malformed.');
    const { claims } = assertion;
    const now = this.simulation().clock.now() / 1000;
    const begun = typeof claims.nbf !== 'number' || claims.nbf - SKEW <= now;
    if (typeof claims.exp !== 'number' || claims.exp + SKEW < now || !begun) {
      return refused(
        'AADSTS700024',
        `Client assertion is not within its valid time range. Current time: ${new Date(now * 1000).toISOString()}.`,
      );
    }
    const credentials = [...configured, ...(identity ? this.federatedCredentialsOf(identity) : [])];
    return this.mismatch(clientId, assertion, credentials) ?? this.badSignature(assertion);
  }

  private mismatch(clientId: string, { claims }: Assertion, credentials: readonly FederatedCredential[]): Answer | undefined {
    if (credentials.length === 0) {
      return refused('AADSTS70025', `The client '${clientId}' has no configured federated identity credentials.`);
    }
    const { iss: issuer, sub: subject } = claims;
    const audiences = [claims.aud].flat();
    const anyIssuer = this.issuerOf(issuer)?.standsForAll ?? false;
    const ofIssuer = credentials.filter((credential) => anyIssuer || credential.issuer === issuer);
    if (ofIssuer.length === 0) {
      return refused(
        'AADSTS700211',
        `No matching federated identity record found for presented assertion issuer '${String(issuer)}'. ${CHECK}`,
      );
    }
    const ofSubject = ofIssuer.filter((credential) => credential.subject === subject);
    if (ofSubject.length === 0) {
      return refused(
        'AADSTS700213',
        `No matching federated identity record found for presented assertion subject '${String(subject)}'. ${CHECK}`,
      );
    }
    if (ofSubject.some((credential) => (credential.audiences ?? [AUDIENCE]).some((audience) => audiences.includes(audience)))) {
      return undefined;
    }
    return refused(
      'AADSTS700212',
      `No matching federated identity record found for presented assertion audience '${audiences.join(' ')}'. ${CHECK}`,
    );
  }

  private badSignature({ header, claims, signed, signature }: Assertion): Answer | undefined {
    const issuer = this.issuerOf(claims.iss);
    if (!issuer?.keys) return undefined;
    const key = issuer.keys().find(({ kid }) => kid === header.kid);
    if (key && header.alg === 'RS256' && verify('sha256', Buffer.from(signed), createPublicKey({ key, format: 'jwk' }), signature)) {
      return undefined;
    }
    return refused('AADSTS50013', 'Assertion failed signature validation. [Reason - The key was not found.]');
  }

  private issuerOf(issuer: unknown): TokenIssuer | undefined {
    return this.options.issuers?.find((known) => known.issuer === issuer);
  }

  private identityOf(clientId: string): Resource | undefined {
    return identityWithClientId(this.simulation(), clientId);
  }

  private isKnown({ createdAt }: Pick<Resource, 'createdAt'>, delaySeconds = 0): boolean {
    const simulation = this.simulation();
    return createdAt <= simulation.clock.now() - scaled(simulation, delaySeconds);
  }

  private federatedCredentialsOf(identity: Resource): FederatedCredential[] {
    const simulation = this.simulation();
    const delay = this.options.delaySeconds ?? simulation.principalDelaySeconds;
    return simulation.store.under(identity.id)
      .filter((resource) => /\/federatedIdentityCredentials$/i.test(resource.type) && this.isKnown(resource, delay))
      .map(({ body }) => ({ clientId: '', ...(body.properties as Omit<FederatedCredential, 'clientId'>) }));
  }
}

function parsed(text: string): Assertion | undefined {
  const [header, payload, signature, ...more] = text.split('.');
  if (!header || !payload || !signature || more.length > 0) return undefined;
  try {
    const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
    return { header: decoded(header), claims: decoded(payload), signed: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url') };
  } catch {
    return undefined;
  }
}

const same = (one: unknown, other: string): boolean => typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

function refused(code: string, text: string, error = 'invalid_client', status = 401): Answer {
  return { status, body: { error, error_description: `${code}: ${text}`, error_codes: [Number(code.slice('AADSTS'.length))] } };
}

/** The answer for an application that a tenant does not have. */
export function unknownClient(clientId: string, tenantId: string): Answer {
  const text = `Application with identifier '${clientId}' was not found in the directory '${tenantId}'. This can happen if the application has not been installed `
    + 'by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.';
  return refused('AADSTS700016', text, 'unauthorized_client', 400);
}
