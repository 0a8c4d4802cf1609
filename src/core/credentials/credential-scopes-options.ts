import { CustomRole } from '../custom-role';

/** Facts that the objects of the app do not contain. */
export interface CredentialScopesOptions {
  /**
   * Roles with their actions, besides those that the app passes as `CustomRole`.
   * @default - those of the app, and the built-in ones that this library knows
   */
  readonly roles?: CustomRole[];
  /**
   * The subscription of credentials that do not name one, a UUID.
   * @default - not known
   */
  readonly subscriptionId?: string;
  /**
   * Whether the controller exchanges tokens of the service account `aso-workload` of each namespace, instead of its own.
   * @default - from the controller's settings in the app; without them, no
   */
  readonly strictWorkloadIdentity?: boolean;
}
