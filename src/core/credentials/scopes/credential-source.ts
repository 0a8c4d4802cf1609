import { StatedRole } from './annotations';
import { CredentialMode } from './facts';
import { AzureObject, SetObject } from '../../rules/set-object';

/** Who writes a credential's Secret, and what is known of it. */
export interface CredentialSource {
  readonly namespace: string;
  readonly name: string;
  readonly writtenBy: string;
  readonly subscriptionId?: string;
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly mode: CredentialMode;
  /** `strict`, `relaxed`, as the controller's settings say it. */
  readonly workloadMode?: string;
  /** The identity of the set whose ids the Secret gets. */
  readonly propagatedFrom?: AzureObject;
  /** `namespace/name` of an identity, or its ARM id, as somebody said it. */
  readonly identity?: string;
  readonly principalId?: string;
  /** Undefined where nothing was said, which is not the same as none. */
  readonly stated?: readonly StatedRole[];
  /** Keys that a credential has to have, and this one has empty or not at all. */
  readonly missing: readonly string[];
  /** The object that writes it. */
  readonly object?: SetObject;
  /** Adds keys to a Secret that something else makes. */
  readonly merges: boolean;
  /** Why it is not written after all, and what to do. */
  readonly problem?: string;
}
