import type { ArmClient } from '../arm/types';
import { causesOf } from '../text-limits';

/** The credential that applies to an object. */
export interface ResolvedCredential {
  /** `<namespace>/<secret name>`, as in the event `CredentialFrom`. */
  readonly source: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** Client id of the principal, by which Azure counts requests. Absent in simulations without one. */
  readonly clientId?: string;
  readonly client: ArmClient;
  /**
   * A client of Microsoft Graph in the credential's cloud. Throws CredentialError when Graph's endpoint is unknown. Absent in simulations
   * without one.
   */
  readonly graph?: () => ArmClient;
  /**
   * A token for an Entra login: one that Azure Database for MySQL and PostgreSQL accept as a password, or one for Azure SQL. Rejects with
   * CredentialError. Absent in simulations without one.
   */
  readonly databaseToken?: (signal: AbortSignal, server?: DatabaseServerKind) => Promise<string>;
  /** DNS suffixes of the servers that may receive such a token. Absent in simulations: servers of all Azure clouds. */
  readonly databaseSuffixes?: DatabaseSuffixes;
}

/**
 * The reason why there is no token for an object, as in the Ready condition (docs/credentials.md). ASO has `Failed` for the first two and
 * `UnknownError` for the others; severity and retry class are the same.
 */
export type CredentialProblem =
  /** No Secret, and no global credential. */
  | 'CredentialNotFound'
  /** Invalid keys or values. */
  | 'CredentialInvalid'
  /** The secret or the certificate has expired. */
  | 'CredentialExpired'
  /** Entra does not know the client, or rejects its secret, certificate or assertion. */
  | 'CredentialRejected'
  /** The source of the token or certificate is missing: the token file, the identity file, the metadata endpoint. */
  | 'CredentialUnavailable'
  /** Strict workload identity: the namespace has no service account `aso-workload`. */
  | 'ServiceAccountNotFound'
  /** Strict workload identity: the controller has no permission to request tokens of that service account. */
  | 'ServiceAccountTokenForbidden'
  /** Workload identity: no federated credential of the identity names the service account. */
  | 'FederatedCredentialNotFound'
  /** The cause is unknown: no answer, or an unreadable one. */
  | 'UnknownError';

/** An absent, malformed or refused credential. The message names the Secret, the key and the fix, never a value. */
export class CredentialError extends Error {
  /** `mayPropagate`: Entra may not have propagated a recent change yet. */
  public constructor(
    message: string,
    public readonly problem: CredentialProblem = 'CredentialInvalid',
    public readonly mayPropagate = false,
  ) {
    super(message);
    this.name = 'CredentialError';
  }
}

/** The credential error that a failed request has: itself, or one of its causes. */
export function credentialErrorIn(error: unknown): CredentialError | undefined {
  return causesOf(error).find((cause): cause is CredentialError => cause instanceof CredentialError);
}

export interface CredentialSource {
  /** Reads a certificate that `resolve` may need; call it before `resolve`. @throws QueueFullError */
  prepare?(object: Parameters<CredentialSource['resolve']>[0]): Promise<void>;
  /** The credential of object scope, then namespace scope, then global. Throws CredentialError. */
  resolve(object: {
    readonly metadata: { readonly namespace?: string | undefined; readonly annotations?: Record<string, string> };
  }): ResolvedCredential;
}

/** Azure SQL has an audience of its own. */
export type DatabaseServerKind = keyof DatabaseSuffixes;

/** DNS suffixes of database servers. https://learn.microsoft.com/azure/private-link/private-endpoint-dns */
export interface DatabaseSuffixes {
  readonly mysql: string;
  readonly postgresql: string;
  readonly sql: string;
}
