import { StatedRole } from './annotations';
import { CredentialMode } from './facts';
import { AzureObject, SetObject } from '../../rules/set-object';

/** An object that writes a credential's Secret, with the known facts. */
export interface CredentialSource {
  readonly namespace: string;
  readonly name: string;
  readonly writtenBy: string;
  readonly subscriptionId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly mode: CredentialMode;
  /** `strict` or `relaxed`, from the controller's settings. */
  readonly workloadMode?: string | undefined;
  /** The identity of the set whose ids the controller or an export writes into the Secret. */
  readonly propagatedFrom?: AzureObject | undefined;
  /** `namespace/name` of an identity, or its ARM id, as an annotation or a construct declares it. */
  readonly identity?: string | undefined;
  readonly principalId?: string | undefined;
  /** Declared roles; undefined if nothing is declared, which differs from an empty list. */
  readonly stated?: readonly StatedRole[] | undefined;
  /** Required keys that are empty or missing. */
  readonly missing: readonly string[];
  /** The object that writes the Secret. */
  readonly object?: SetObject | undefined;
  /** Whether the object adds keys to a Secret that something else creates. */
  readonly merges: boolean;
  /** The reason why the Secret is not written after all, and the fix. */
  readonly problem?: string | undefined;
}
