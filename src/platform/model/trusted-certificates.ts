/**
 * Certificates of an egress firewall or a private certificate authority in a shared App Configuration store, which the App Configuration
 * provider (`azconfig.io/v1`) copies into every team's namespace.
 * @see https://learn.microsoft.com/azure/azure-app-configuration/reference-kubernetes-provider
 */
export interface TrustedCertificates {
  /**
   * Name of the shared App Configuration store.
   * @default - the only one of the environment
   */
  readonly on?: string;
  /** Filter of the keys to copy, e.g. `egress-firewall-cert*`. */
  readonly keyFilter: string;
  /**
   * Label of the keys.
   * @default - no label
   */
  readonly labelFilter?: string;
  /**
   * The ConfigMap for plain values.
   * @default trusted-certificates
   */
  readonly configMapName?: string;
  /**
   * The Secret for resolved Key Vault references.
   * @default trusted-certificates
   */
  readonly secretName?: string;
  /**
   * Interval at which Key Vault references are resolved again, e.g. `5m`. At least one minute.
   * @default 5m
   */
  readonly refreshInterval?: string;
}
