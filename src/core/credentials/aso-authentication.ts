import { assertUuid } from './ids';

/** How the controller proves to Entra that it may act as an identity. */
export class AsoAuthentication {
  /**
   * Workload identity: a federated credential of the identity trusts the controller's service account. Nothing secret
   * is stored anywhere.
   * @param clientId client id of the managed identity or app registration, a UUID
   * @throws when the id is no UUID
   */
  public static workloadIdentity(clientId: string): AsoAuthentication {
    return new AsoAuthentication(clientId, { USE_WORKLOAD_IDENTITY_AUTH: 'true' });
  }

  /**
   * A managed identity that is assigned to the cluster's nodes.
   * @param clientId client id of the identity, a UUID
   * @throws when the id is no UUID
   */
  public static managedIdentity(clientId: string): AsoAuthentication {
    return new AsoAuthentication(clientId, { AUTH_MODE: 'podidentity' });
  }

  /**
   * A service principal. The manifest has the ids only: whoever keeps the secret has to add the key
   * `AZURE_CLIENT_SECRET` (or `AZURE_CLIENT_CERTIFICATE`) to the same Secret, e.g. an ExternalSecret with
   * `creationPolicy: Merge`. Until then the controller cannot sign in.
   * @param clientId client id of the app registration, a UUID
   * @throws when the id is no UUID
   */
  public static servicePrincipal(clientId: string): AsoAuthentication {
    return new AsoAuthentication(clientId, {});
  }

  /** Client id of the identity. */
  public readonly clientId: string;

  private constructor(clientId: string, private readonly mode: Record<string, string>) {
    assertUuid('client id', clientId);
    this.clientId = clientId;
  }

  /** @internal */
  public get _keys(): Record<string, string> {
    return { AZURE_CLIENT_ID: this.clientId, ...this.mode };
  }
}
