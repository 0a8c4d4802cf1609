import { assertUuid } from './ids';
import { SecretStoreValue } from './secret-store-value';

/** The method by which the controller authenticates to Entra as an identity. */
export class AsoAuthentication {
  /**
   * Workload identity: a federated credential of the identity trusts the controller's service account (or, with a controller in strict
   * mode, the service account `aso-workload` of the namespace). No secret is stored.
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
   * A service principal. The manifest has the ids only: another tool has to add the key `AZURE_CLIENT_SECRET` (or
   * `AZURE_CLIENT_CERTIFICATE`) to the same Secret. Until then the controller cannot sign in; `clientSecret` and `clientCertificate` avoid
   * this gap.
   * @param clientId client id of the app registration, a UUID
   * @throws when the id is no UUID
   */
  public static servicePrincipal(clientId: string): AsoAuthentication {
    return new AsoAuthentication(clientId, {});
  }

  /**
   * A service principal with a client secret. The External Secrets Operator creates the complete Secret at once when it has the value.
   * @param clientId client id of the app registration, a UUID
   * @param clientSecret the client secret's place in its store
   * @throws when the id is no UUID
   */
  public static clientSecret(clientId: string, clientSecret: SecretStoreValue): AsoAuthentication {
    return new AsoAuthentication(clientId, {}, { AZURE_CLIENT_SECRET: clientSecret });
  }

  /**
   * A service principal with a certificate. The External Secrets Operator creates the complete Secret at once when it has the values.
   * @param clientId client id of the app registration, a UUID
   * @param certificate the place of the certificate with its private key in its store: PEM or PKCS#12
   * @param password the place of the certificate's password in its store, if it has one
   * @throws when the id is no UUID
   */
  public static clientCertificate(clientId: string, certificate: SecretStoreValue, password?: SecretStoreValue): AsoAuthentication {
    const kept = { AZURE_CLIENT_CERTIFICATE: certificate, ...(password && { AZURE_CLIENT_CERTIFICATE_PASSWORD: password }) };
    return new AsoAuthentication(clientId, {}, kept);
  }

  /** Client id of the identity. */
  public readonly clientId: string;

  private constructor(
    clientId: string,
    private readonly mode: Record<string, string>,
    private readonly kept: Record<string, SecretStoreValue> = {},
  ) {
    assertUuid('client id', clientId);
    for (const [key, value] of Object.entries(kept)) {
      if (!(value instanceof SecretStoreValue)) {
        throw new Error(`${key}: a secret does not belong into a manifest. Say where it is kept: SecretStoreValue.fromStore(store, key).`);
      }
    }
    this.clientId = clientId;
  }

  /** @internal */
  public get _keys(): Record<string, string> {
    return { AZURE_CLIENT_ID: this.clientId, ...this.mode };
  }

  /**
   * The keys of the Secret that come from a store, each with its place there.
   * @internal
   */
  public get _secrets(): Readonly<Record<string, SecretStoreValue>> {
    return this.kept;
  }
}
