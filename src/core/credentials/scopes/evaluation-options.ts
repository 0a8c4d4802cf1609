import type { CredentialSource } from './credential-source';
import { ToldRole } from './told-role';
import { AzureObject } from '../../rules/set-object';

export interface EvaluationOptions {
  /** Roles whose actions somebody has told. */
  readonly roles?: readonly ToldRole[];
  /** Secrets that something outside the set writes. */
  readonly declared?: readonly CredentialSource[];
  /** The subscription of credentials that do not say theirs. */
  readonly subscriptionId?: string;
  /** `strict` or `relaxed`, where the set does not say it. */
  readonly workloadMode?: string;
  /** What resources need is worked out only where something is known of the roles of their credential. */
  readonly onlyKnown?: boolean;
  readonly constructPathOf?: (object: AzureObject) => string | undefined;
}
