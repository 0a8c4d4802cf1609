import type { SecretValue } from '../core/secret-value';

/** The identity of the controller in a subscription. */
export interface GlobalCredentialIds {
  /** Id of the subscription in which the controller creates resources, a UUID. */
  readonly subscriptionId: string;
  /** Id of the Entra tenant, a UUID. */
  readonly tenantId: string;
  /** Client id of the managed identity or app registration, a UUID. */
  readonly clientId: string;
}

/** @internal */
export interface CredentialParts {
  /** Settings without secret values. */
  readonly settings: Readonly<Record<string, string>>;
  /** Settings whose value is a key of a Secret that this construct does not write. */
  readonly secrets: Readonly<Record<string, SecretValue>>;
  /** Name of a Secret that contains the whole credential. */
  readonly from?: string;
  /** Key of a Secret that is mounted into the pod as a file. */
  readonly file?: SecretValue;
}

const ENABLED = 'true';

/**
 * The controller's own credential, for objects whose namespace has none. It names the keys of Secrets instead of secret values, which stay
 * out of the manifests.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-format/
 */
export class GlobalCredential {
  /** The directory of the identity file. */
  public static readonly IDENTITY_FILE_DIRECTORY = '/var/run/secrets/azure-identity-file';

  /**
   * Workload identity: a federated credential of the identity trusts the controller's service account
   * (`BundledController.federatedSubject`). No secret is stored.
   * @param ids subscription, tenant and identity
   */
  public static workloadIdentity(ids: GlobalCredentialIds): GlobalCredential {
    return new GlobalCredential(ids, { settings: { USE_WORKLOAD_IDENTITY_AUTH: ENABLED }, secrets: {} });
  }

  /**
   * A service principal with a client secret.
   * @param ids subscription, tenant and app registration
   * @param clientSecret key of a Secret in the controller's namespace
   */
  public static clientSecret(ids: GlobalCredentialIds, clientSecret: SecretValue): GlobalCredential {
    return new GlobalCredential(ids, { settings: {}, secrets: { AZURE_CLIENT_SECRET: clientSecret } });
  }

  /**
   * A service principal with a certificate.
   * @param ids subscription, tenant and app registration
   * @param certificate key of a Secret in the controller's namespace: PEM or PKCS#12 (base64), with the private key
   * @param password key of a Secret with the certificate's password
   */
  public static clientCertificate(ids: GlobalCredentialIds, certificate: SecretValue, password?: SecretValue): GlobalCredential {
    const secrets = { AZURE_CLIENT_CERTIFICATE: certificate, ...(password && { AZURE_CLIENT_CERTIFICATE_PASSWORD: password }) };
    return new GlobalCredential(ids, { settings: {}, secrets });
  }

  /**
   * A managed identity that is assigned to the nodes.
   * @param ids subscription, tenant and identity
   */
  public static managedIdentity(ids: GlobalCredentialIds): GlobalCredential {
    return new GlobalCredential(ids, { settings: {}, secrets: {} });
  }

  /**
   * A first-party identity: a file in a Secret, mounted into the pod and read again when it changes.
   * @param ids subscription, tenant and identity
   * @param file key of a Secret in the controller's namespace
   */
  public static identityFile(ids: GlobalCredentialIds, file: SecretValue): GlobalCredential {
    const path = `${GlobalCredential.IDENTITY_FILE_DIRECTORY}/${file.key}`;
    return new GlobalCredential(ids, { settings: { AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: path }, secrets: {}, file });
  }

  /**
   * A Secret in the controller's namespace that another tool writes (e.g. an ExternalSecret), with the keys of
   * `aso-controller-settings`: `AZURE_SUBSCRIPTION_ID`, `AZURE_TENANT_ID`, `AZURE_CLIENT_ID`, `AZURE_CLIENT_SECRET`, ….
   * @param secretName name of the Secret; not `aso-controller-settings`, which this construct writes
   */
  public static fromSecret(secretName: string): GlobalCredential {
    return new GlobalCredential(undefined, { settings: {}, secrets: {}, from: secretName });
  }

  /** Subscription, tenant and identity; undefined if a Secret contains them. */
  public readonly ids: GlobalCredentialIds | undefined;

  private constructor(ids: GlobalCredentialIds | undefined, private readonly parts: CredentialParts) {
    this.ids = ids;
  }

  /** @internal */
  public get _parts(): CredentialParts {
    const { ids, parts } = this;
    if (!ids) return parts;
    const settings = {
      AZURE_SUBSCRIPTION_ID: ids.subscriptionId,
      AZURE_TENANT_ID: ids.tenantId,
      AZURE_CLIENT_ID: ids.clientId,
      ...parts.settings,
    };
    return { ...parts, settings };
  }
}
