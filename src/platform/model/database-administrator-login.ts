import type { CredentialReference } from '../../core';

/** The Entra administrator of a shared database server, as which the controller gives services access to their databases. */
export interface DatabaseAdministratorLogin {
  /** Login name of the administrator in the server: the name of the identity, application or group. */
  readonly name: string;
  /**
   * The Secret in the platform's namespace with the credential of that administrator, or of a member if it is a group.
   * @default - the platform's own credential
   */
  readonly credential?: CredentialReference;
}
