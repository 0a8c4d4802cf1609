import { CredentialError } from './types';
import { setNewest } from '../../src/util/set-newest';
import type { Clock } from '../clock';
import { KubernetesError } from '../kubernetes/types';

/** The service account whose tokens the namespace's credentials are exchanged for in strict mode. */
export const WORKLOAD_SERVICE_ACCOUNT = 'aso-workload';
/** Audience of tokens that Entra exchanges. */
export const TOKEN_AUDIENCE = 'api://AzureADTokenExchange';

const LIFETIME_SECONDS = 3600;
/** Like the kubelet, renews a token when a fifth of its lifetime is left. */
const RENEW_AT = 0.2;
/** A token that expires within this time (milliseconds) is not used any more. */
const TOO_LATE = 60_000;
/** Namespaces whose tokens are kept. A token is needed about once an hour, to be exchanged for one of Entra. */
export const MAX_HELD_TOKENS = 1_000;

export interface ServiceAccountToken {
  readonly token: string;
  /** ISO 8601. */
  readonly expirationTimestamp: string;
}

/** TokenRequest. Throws KubernetesError. */
export interface TokenRequester {
  createToken(namespace: string, serviceAccount: string, audience: string, expirationSeconds: number): Promise<ServiceAccountToken>;
}

interface Held {
  readonly token: string;
  readonly renewAt: number;
  readonly expires: number;
}

/** Tokens of the service accounts `aso-workload`, requested once per namespace and renewed before they expire. */
export class NamespaceTokens {
  /** In the order in which they were renewed. */
  private readonly held = new Map<string, Held>();
  private readonly asked = new Map<string, Promise<string>>();

  public constructor(private readonly requester: TokenRequester, private readonly clock: Pick<Clock, 'now'>) {}

  /** A token of the namespace's service account. Throws CredentialError. */
  public token(namespace: string): Promise<string> {
    const held = this.held.get(namespace);
    if (held && this.clock.now() < held.renewAt) return Promise.resolve(held.token);
    const asked = this.asked.get(namespace) ?? this.renewed(namespace, held).finally(() => this.asked.delete(namespace));
    this.asked.set(namespace, asked);
    return asked;
  }

  private async renewed(namespace: string, held: Held | undefined): Promise<string> {
    try {
      const { token, expirationTimestamp } = await this.requester.createToken(
        namespace,
        WORKLOAD_SERVICE_ACCOUNT,
        TOKEN_AUDIENCE,
        LIFETIME_SECONDS,
      );
      const now = this.clock.now();
      const expires = Date.parse(expirationTimestamp);
      if (!token || Number.isNaN(expires)) {
        throw new KubernetesError(0, 'Malformed', 'the answer to the TokenRequest has no token or no expirationTimestamp');
      }
      // The token that was renewed longest ago goes first: it is the next one to expire.
      const renewAt = expires - (expires - now) * RENEW_AT;
      setNewest(this.held, namespace, { token, expires, renewAt }, MAX_HELD_TOKENS);
      return token;
    } catch (error) {
      const refused = refusalOf(namespace, error);
      // A refusal is deliberate (the account or the grant was removed), but an API server that does not answer does not invalidate the
      // token.
      if (refused.problem === 'UnknownError' && held && held.expires - TOO_LATE > this.clock.now()) return held.token;
      this.held.delete(namespace);
      throw refused;
    }
  }
}

function refusalOf(namespace: string, error: unknown): CredentialError {
  const account = `service account "${namespace}/${WORKLOAD_SERVICE_ACCOUNT}"`;
  const status = error instanceof KubernetesError ? error.status : undefined;
  if (status === 404) {
    return new CredentialError(
      `strict workload identity: ${account} does not exist; create it (it needs no permissions), and name it as subject `
      + `"system:serviceaccount:${namespace}:${WORKLOAD_SERVICE_ACCOUNT}" in a federated credential of the identity`,
      'ServiceAccountNotFound');
  }
  if (status === 403) {
    return new CredentialError(
      `strict workload identity: this controller may not request tokens of ${account}; grant it "create" on "serviceaccounts/token" `
      + `with resourceNames ["${WORKLOAD_SERVICE_ACCOUNT}"], by a ClusterRole or by a Role in namespace "${namespace}"`,
      'ServiceAccountTokenForbidden');
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CredentialError(`strict workload identity: the Kubernetes API gave no token of ${account}: ${message}`, 'UnknownError');
}
