/** Options of `SecretStoreValue.fromStore`. */
export interface SecretStoreValueOptions {
  /**
   * `SecretStore` of the namespace, or `ClusterSecretStore`.
   * @default ClusterSecretStore
   */
  readonly storeKind?: string;
  /**
   * Field of the secret, if the store has structured secrets.
   * @default - the whole secret
   */
  readonly property?: string;
}

/**
 * A secret value by its place in a store that the External Secrets Operator reads: the value itself is never in a manifest.
 * @see https://external-secrets.io/latest/api/externalsecret/
 */
export class SecretStoreValue {
  /**
   * A value of a store.
   * @param store name of the SecretStore or ClusterSecretStore
   * @param key name of the secret in the store, e.g. in an Azure Key Vault
   * @param options kind of the store, field of the secret
   * @throws when store or key is empty
   */
  public static fromStore(store: string, key: string, options: SecretStoreValueOptions = {}): SecretStoreValue {
    return new SecretStoreValue(store, key, options);
  }

  /** Name of the store. */
  public readonly store: string;

  /** Name of the secret in the store. */
  public readonly key: string;

  /** `SecretStore` or `ClusterSecretStore`. */
  public readonly storeKind: string;

  /** Field of the secret; undefined for the whole secret. */
  public readonly property: string | undefined;

  private constructor(store: string, key: string, { storeKind = 'ClusterSecretStore', property }: SecretStoreValueOptions) {
    for (const [name, value] of Object.entries({ store, key })) {
      if (typeof value !== 'string' || value === '') {
        throw new Error(`SecretStoreValue: the ${name} is empty. Give the name of the store, and that of the secret in it.`);
      }
    }
    if (storeKind !== 'SecretStore' && storeKind !== 'ClusterSecretStore') {
      throw new Error(`SecretStoreValue: '${storeKind}' is no kind of store. Give SecretStore or ClusterSecretStore.`);
    }
    this.store = store;
    this.key = key;
    this.storeKind = storeKind;
    this.property = property;
  }
}
