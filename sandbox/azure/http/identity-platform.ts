import { createHmac, timingSafeEqual } from 'node:crypto';
import { unknownClient, type Federation } from './federation';
import { withoutTrailingSlashes } from '../../../src/azure/trailing-slashes';
import { textBefore } from '../../../src/util/text-before';
import type { Answer } from '../model/answer';

/** A token, as the simulator reads it back. */
export interface TokenClaims {
  readonly tenant: string;
  readonly client: string;
  readonly audience: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** A token that Azure Resource Manager does not take. */
export interface TokenRefusal {
  readonly code: 'AuthenticationFailed' | 'InvalidAuthenticationTokenTenant';
  readonly message: string;
}

/** The application of the simulator's environment, and the tenants that there are. */
export interface KnownIdentities {
  readonly client: { readonly id: string; readonly secret: string };
  /** The tenant of the subscriptions. */
  readonly tenantId: string;
  /** Tenants that are there as well, in lower case: Azure takes no token of theirs. */
  readonly otherTenants: ReadonlySet<string>;
  /** Whether other tenants and applications do not exist; else they stand for those that were made elsewhere. */
  readonly isStrict: boolean;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LIFETIME_SECONDS = 3600;
const COMMON_AUTHORITIES = new Set(['common', 'organizations', 'consumers']);

/** The token endpoints of the Microsoft identity platform. */
export class IdentityPlatform {
  public constructor(
    private readonly signingKey: string,
    private readonly known: KnownIdentities,
    private readonly now: () => number,
    private readonly federation: Federation,
  ) {}

  /** The answer to a request that is one of the identity platform's, undefined for all others. */
  public answer(method: string, path: string, text: string, baseUrl: string): Answer | undefined {
    const tenant = /^\/([^/]+)\/oauth2\/(?:v2\.0\/)?token$/.exec(path)?.[1];
    if (tenant !== undefined) return method === 'POST' ? this.token(decodeURIComponent(tenant), new URLSearchParams(text)) : { status: 405 };
    const configuration = /^\/([^/]+)\/(?:v2\.0\/)?\.well-known\/openid-configuration$/.exec(path)?.[1];
    if (configuration !== undefined) {
      const missing = COMMON_AUTHORITIES.has(configuration) ? undefined : this.missingTenant(configuration, 'invalid_tenant');
      return missing ?? { status: 200, body: openIdConfiguration(baseUrl, configuration) };
    }
    if (path === '/common/discovery/instance') {
      const host = new URL(baseUrl).host;
      const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }];
      return {
        status: 200,
        body: { 'tenant_discovery_endpoint': `${baseUrl}/common/v2.0/.well-known/openid-configuration`, 'api-version': '1.1', metadata },
      };
    }
    if (/^\/[^/]+\/discovery\/v2\.0\/keys$/.test(path)) return { status: 200, body: { keys: [] } };
    return undefined;
  }

  /** The claims of a bearer token, or its refusal. */
  public check(header: string | undefined, audiences: readonly string[]): TokenClaims | TokenRefusal {
    const token = /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
    if (!token) return authenticationFailed("The authentication failed because of missing 'Authorization' header.");
    const [payload = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.sign(payload));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return authenticationFailed('The access token is invalid.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
    if (claims.expires <= this.now()) return authenticationFailed('The access token expiry is in the past.');
    const audience = withoutTrailingSlashes(claims.audience);
    if (!audiences.includes(audience)) {
      return authenticationFailed(`The access token has been obtained for wrong audience or resource '${audience}'.`);
    }
    return this.known.otherTenants.has(claims.tenant.toLowerCase()) ? this.wrongTenant(claims.tenant) : claims;
  }

  /** The words that users quote in https://github.com/Azure/azure-sdk-for-net/issues/49391. */
  private wrongTenant(tenant: string): TokenRefusal {
    const { tenantId } = this.known;
    const message = `The access token is from the wrong issuer 'https://sts.windows.net/${tenant}/'. It must match the tenant `
      + `'https://sts.windows.net/${tenantId}/' associated with this subscription. Please use the authority (URL) `
      + `'https://login.windows.net/${tenantId}' to get the token.`;
    return { code: 'InvalidAuthenticationTokenTenant', message };
  }

  /** The OpenID configuration of such a tenant is refused as well, before a token is requested. */
  private missingTenant(tenant: string, error: string): Answer | undefined {
    const { isStrict, tenantId, otherTenants } = this.known;
    if (!isStrict || tenant.toLowerCase() === tenantId || otherTenants.has(tenant.toLowerCase())) return undefined;
    return refusal(400, error, `AADSTS90002: Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`, 90002);
  }

  private token(tenant: string, form: URLSearchParams): Answer {
    const grant = form.get('grant_type');
    const client = form.get('client_id') ?? '';
    if (!/^[0-9a-z.-]+$/i.test(tenant)) {
      return refusal(400, 'invalid_request', `AADSTS900023: Specified tenant identifier '${tenant}' is neither a valid DNS name, nor a valid external domain.`, 900023);
    }
    const missing = this.missingTenant(tenant, 'invalid_request');
    if (missing) return missing;
    if (grant !== 'client_credentials') {
      return refusal(400, 'unsupported_grant_type', `AADSTS70003: The app requested an unsupported grant type '${grant ?? ''}'.`, 70003);
    }
    if (client === '') {
      return refusal(400, 'invalid_request', "AADSTS900144: The request body must contain the following parameter: 'client_id'.", 900144);
    }
    const scope = form.get('scope') ?? form.get('resource');
    if (!scope) {
      return refusal(400, 'invalid_request', "AADSTS900144: The request body must contain the following parameter: 'scope'.", 900144);
    }
    const refused = this.checkClient(client, tenant, form);
    if (refused) return refused;
    const claims: TokenClaims = {
      tenant,
      client,
      audience: textBefore(scope, ' ').replace(/\/\.default$/, ''),
      expires: this.now() + LIFETIME_SECONDS * 1000,
    };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return {
      status: 200,
      body: {
        token_type: 'Bearer',
        expires_in: LIFETIME_SECONDS,
        ext_expires_in: LIFETIME_SECONDS,
        access_token: `${payload}.${this.sign(payload)}`,
      },
    };
  }

  private checkClient(client: string, tenant: string, form: URLSearchParams): Answer | undefined {
    const { client: own, tenantId, otherTenants, isStrict } = this.known;
    const isOwn = client.toLowerCase() === own.id;
    const isElsewhere = tenant.toLowerCase() !== tenantId && !otherTenants.has(tenant.toLowerCase());
    if (isOwn && isElsewhere) return unknownClient(client, tenant);
    const assertion = form.get('client_assertion');
    if (assertion !== null) {
      if (form.get('client_assertion_type') !== ASSERTION_TYPE || assertion === '') {
        return refusal(401, 'invalid_client', 'AADSTS50027: JWT token is invalid or malformed.', 50027);
      }
      return this.federation.check(client, assertion);
    }
    const secret = form.get('client_secret');
    if (!secret) {
      return refusal(
        401,
        'invalid_client',
        "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
        7000218,
      );
    }
    // A managed identity has no secret, so every one is wrong.
    if ((isOwn && secret !== own.secret) || this.federation.isManagedIdentity(client)) {
      return refusal(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.', 7000215);
    }
    return !isOwn && (isStrict || secret === own.secret) ? unknownClient(client, tenant) : undefined;
  }

  private sign(payload: string): string {
    return createHmac('sha256', this.signingKey).update(payload).digest('base64url');
  }
}

function authenticationFailed(message: string): TokenRefusal {
  return { code: 'AuthenticationFailed', message };
}

function refusal(status: number, error: string, description: string, code: number): Answer {
  return { status, body: { error, error_description: description, error_codes: [code] } };
}

function openIdConfiguration(baseUrl: string, tenant: string): unknown {
  const base = `${baseUrl}/${tenant}`;
  return {
    token_endpoint: `${base}/oauth2/v2.0/token`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    issuer: `${base}/v2.0`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    response_types_supported: ['code', 'id_token'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
  };
}
