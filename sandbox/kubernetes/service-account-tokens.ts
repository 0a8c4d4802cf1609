import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ApiError } from './api-error';
import type { SandboxClock } from './clock';
import { invalid } from './field-error';
import { timestamp, type StoredObject } from './objects';
import { isRecord } from '../../src/util/records';

/** Of kube-apiserver. */
const SHORTEST = 600;
const LONGEST = 2 ** 32;
const DEFAULT = 3600;

/** A public key as `/openid/v1/jwks` shows it. */
export type SigningKey = JsonWebKey & { readonly kid: string };

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** Of our own tokens. */
interface Claims {
  readonly 'aud': readonly string[];
  readonly 'exp': number;
  readonly 'sub': string;
  readonly 'kubernetes.io': { readonly serviceaccount: { readonly uid: string } };
}

/** Signs the tokens of service accounts, as the cluster's OpenID Connect issuer. */
export class ServiceAccountTokens {
  private keys?: { readonly privateKey: KeyObject; readonly jwk: SigningKey };

  public constructor(
    /** `iss` of the tokens. */
    public readonly issuer: string,
    private readonly clock: SandboxClock,
  ) {}

  /** The keys that tokens of this cluster are signed with. */
  public get jwks(): readonly SigningKey[] {
    return [this.made().jwk];
  }

  /** A token for `system:serviceaccount:<namespace>:<name>`. */
  public token(account: ServiceAccount, audiences: readonly string[], lifetimeSeconds = DEFAULT): string {
    return this.signed(account, audiences, lifetimeSeconds, this.clock.now());
  }

  private signed(account: ServiceAccount, audiences: readonly string[], lifetimeSeconds: number, moment: number): string {
    const { privateKey, jwk } = this.made();
    const { namespace, name, uid = '' } = account;
    const now = Math.floor(moment / 1000);
    const header = { alg: 'RS256', kid: jwk.kid, typ: 'JWT' };
    const claims = {
      'aud': audiences,
      'exp': now + lifetimeSeconds,
      'iat': now,
      'nbf': now,
      'iss': this.issuer,
      'jti': randomUUID(),
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      'sub': `system:serviceaccount:${namespace}:${name}`,
    };
    const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }

  /**
   * The answer to a TokenRequest.
   *
   * @throws ApiError 422
   */
  public request(account: StoredObject, body: unknown): object {
    const asked = isRecord(body) ? body : {};
    const spec = isRecord(asked.spec) ? asked.spec : {};
    const seconds = spec.expirationSeconds ?? DEFAULT;
    const wrong = typeof seconds !== 'number' || seconds < SHORTEST ? 'may not specify a duration less than 10 minutes'
      : seconds > LONGEST ? 'may not specify a duration larger than 2^32 seconds' : undefined;
    const { name, namespace = '', uid } = account.metadata;
    if (wrong) throw ApiError.invalid('authentication.k8s.io', 'TokenRequest', '', [invalid('spec.expirationSeconds', seconds, wrong)]);
    const audiences = Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences.map(String) : [this.issuer];
    // Read once: the token and what is said of it agree on the second.
    const now = this.clock.now();
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace, creationTimestamp: timestamp(now) },
      spec: { ...spec, audiences, expirationSeconds: seconds },
      status: {
        token: this.signed({ name, namespace, uid }, audiences, seconds as number, now),
        expirationTimestamp: timestamp(now + (seconds as number) * 1000),
      },
    };
  }

  /**
   * The status of a TokenReview: only tokens of this cluster that are for it, or for one of the audiences that are asked for, are known.
   */
  public review(token: string, audiences: readonly string[]): object {
    const wanted = audiences.length > 0 ? audiences : [this.issuer];
    const claims = this.verified(token);
    if (!claims) return { user: {}, error: 'invalid bearer token' };
    const meant = wanted.filter((audience) => claims.aud.includes(audience));
    if (meant.length === 0) {
      return {
        user: {},
        error: `token audiences ${JSON.stringify(claims.aud)} is invalid for the target audiences ${JSON.stringify(wanted)}`,
      };
    }
    const [, , namespace, name] = claims.sub.split(':');
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    return {
      authenticated: true,
      user: { username: `system:serviceaccount:${namespace}:${name}`, uid: claims['kubernetes.io'].serviceaccount.uid, groups },
      audiences: meant,
    };
  }

  /** The claims of a token that was signed here and has not expired. */
  private verified(token: string): Claims | undefined {
    const [header, payload, signature, ...rest] = token.split('.');
    if (!this.keys || payload === undefined || !signature || rest.length > 0) return undefined;
    const text = Buffer.from(`${header}.${payload}`);
    if (!verify('sha256', text, createPublicKey(this.keys.privateKey), Buffer.from(signature, 'base64url'))) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    return claims.exp > this.clock.now() / 1000 ? claims : undefined;
  }

  /** `/.well-known/openid-configuration` */
  public get configuration(): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${this.issuer.replace(/\/$/, '')}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  /** A key takes time to make, so that is done for the first token. */
  private made(): NonNullable<typeof this.keys> {
    if (this.keys) return this.keys;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.keys = { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' } };
    return this.keys;
  }
}
