import type { CredentialSource } from './credential-source';
import { DeclaredRole } from './declared-role';
import { AzureObject } from '../../rules/set-object';

export interface EvaluationOptions {
  /** Roles with declared actions. */
  readonly roles?: readonly DeclaredRole[] | undefined;
  /** Secrets that something outside the set writes. */
  readonly declared?: readonly CredentialSource[] | undefined;
  /** The subscription of credentials that do not name one. */
  readonly subscriptionId?: string | undefined;
  /** `strict` or `relaxed`, if the set does not contain it. */
  readonly workloadMode?: string | undefined;
  /** Whether to compute the needed actions only for credentials with known roles. */
  readonly onlyKnown?: boolean | undefined;
  readonly constructPathOf?: (object: AzureObject) => string | undefined;
}
