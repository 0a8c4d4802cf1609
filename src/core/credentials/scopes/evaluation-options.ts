import type { CredentialSource } from './credential-source';
import { ToldRole } from './told-role';
import { AzureObject } from '../../rules/set-object';

export interface EvaluationOptions {
  /** Roles with declared actions. */
  readonly roles?: readonly ToldRole[];
  /** Secrets that something outside the set writes. */
  readonly declared?: readonly CredentialSource[];
  /** The subscription of credentials that do not name one. */
  readonly subscriptionId?: string;
  /** `strict` or `relaxed`, if the set does not contain it. */
  readonly workloadMode?: string;
  /** Whether to compute the needed actions only for credentials with known roles. */
  readonly onlyKnown?: boolean;
  readonly constructPathOf?: (object: AzureObject) => string | undefined;
}
