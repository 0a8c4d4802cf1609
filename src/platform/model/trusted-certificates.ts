/**
 * Certificates of an egress firewall or a private authority that are kept in the App Configuration store, and are copied into every team's
 * namespace by the App Configuration provider (`azconfig.io/v1`).
 * @see https://learn.microsoft.com/azure/azure-app-configuration/reference-kubernetes-provider
 */
export interface TrustedCertificates {
  /** Which keys are copied, e.g. `egress-firewall-cert*`. */
  readonly keyFilter: string;
  /**
   * Which label the keys have.
   * @default - no label
   */
  readonly labelFilter?: string;
  /**
   * The ConfigMap that gets plain values.
   * @default trusted-certificates
   */
  readonly configMapName?: string;
  /**
   * The Secret that gets references to a Key Vault, resolved.
   * @default trusted-certificates
   */
  readonly secretName?: string;
  /**
   * How often references to a Key Vault are looked up again, e.g. `5m`. At least a minute.
   * @default 5m
   */
  readonly refreshInterval?: string;
}
