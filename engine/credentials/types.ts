import type { ArmClient } from '../arm/types';

/** The credential that applies to an object. */
export interface ResolvedCredential {
  /** `<namespace>/<secret name>`, as the event `CredentialFrom` shows it. */
  readonly source: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** Of the principal, by which Azure counts requests. Absent in simulations without one. */
  readonly clientId?: string;
  readonly client: ArmClient;
  /** A client of Microsoft Graph in the credential's cloud. Throws CredentialError where it is not known where that is. Absent in simulations without one. */
  readonly graph?: () => ArmClient;
  /** A token that Azure Database for MySQL takes as the password of an Entra login. Rejects with CredentialError. Absent in simulations without one. */
  readonly databaseToken?: (signal: AbortSignal) => Promise<string>;
  /** Where such a token may be sent. Absent in simulations: to servers of all of Azure's clouds. */
  readonly databaseSuffixes?: DatabaseSuffixes;
}

/**
 * Why there is no token for an object, as the Ready condition shows it (docs/credentials.md). ASO has `Failed` for the first two and
 * `UnknownError` for the others; severity and retry class are the same.
 */
export type CredentialProblem =
  /** No Secret, and no global credential. */
  | 'CredentialNotFound'
  /** Keys or values that nothing can be done with. */
  | 'CredentialInvalid'
  /** The secret or the certificate is too old. */
  | 'CredentialExpired'
  /** Entra does not know the client, or does not take what it shows. */
  | 'CredentialRejected'
  /** Where the token or the certificate should come from there is nothing: the token file, the identity file, the metadata endpoint. */
  | 'CredentialUnavailable'
  /** Strict workload identity: the namespace has no service account `aso-workload`. */
  | 'ServiceAccountNotFound'
  /** Strict workload identity: the controller may not ask for tokens of that service account. */
  | 'ServiceAccountTokenForbidden'
  /** Workload identity: no federated credential of the identity names the service account. */
  | 'FederatedCredentialNotFound'
  /** Nobody can tell: no answer, or one that is unreadable. */
  | 'UnknownError';

/** A credential that is absent, malformed or refused. Names the Secret, the key and what to do, never a value. */
export class CredentialError extends Error {
  /** `mayPropagate`: Entra may just not know everywhere yet what was made a moment ago. */
  public constructor(message: string, public readonly problem: CredentialProblem = 'CredentialInvalid', public readonly mayPropagate = false) {
    super(message);
    this.name = 'CredentialError';
  }
}

export interface CredentialSource {
  /** To be called before `resolve` where a certificate may have to be read first. @throws QueueFullError */
  prepare?(object: Parameters<CredentialSource['resolve']>[0]): Promise<void>;
  /** Object scope, then namespace scope, then global. Throws CredentialError. */
  resolve(object: { readonly metadata: { readonly namespace?: string; readonly annotations?: Record<string, string> } }): ResolvedCredential;
}

/** Names of servers end with these. https://learn.microsoft.com/azure/private-link/private-endpoint-dns */
export interface DatabaseSuffixes {
  readonly mysql: string;
  readonly postgresql: string;
  readonly sql: string;
}
