import { CustomRole } from '../custom-role';

/** What is known besides the objects of the app. */
export interface CredentialScopesOptions {
  /**
   * Roles with what they allow, besides those that the app gives as `CustomRole`.
   * @default - those of the app, and the built-in ones that this library knows
   */
  readonly roles?: CustomRole[];
  /**
   * The subscription of credentials that do not say theirs, a UUID.
   * @default - not known
   */
  readonly subscriptionId?: string;
  /**
   * Whether the controller exchanges tokens of the service account `aso-workload` of each namespace, instead of its own.
   * @default - as the controller's settings in the app say it; without them, no
   */
  readonly strictWorkloadIdentity?: boolean;
}
