/** An Issuer or ClusterIssuer of cert-manager. */
export interface CertificateIssuer {
  /** Name of the Issuer (in the controller's namespace) or ClusterIssuer. */
  readonly name: string;
  /**
   * `Issuer`, `ClusterIssuer`, or a kind of another issuer's API.
   * @default Issuer
   */
  readonly kind?: string;
  /**
   * API group of the issuer.
   * @default cert-manager.io
   */
  readonly group?: string;
}

/**
 * Whether webhooks default, validate and convert objects, and the source of their certificate. Without webhooks the controller reports the
 * same rules as conditions of the objects, and each kind can be served in one version only.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export class Webhooks {
  /** The controller creates and renews its certificate, and sets it as the caBundle. Needs nothing else in the cluster. */
  public static ownCertificate(): Webhooks {
    return new Webhooks('own');
  }

  /**
   * cert-manager creates the certificates of the webhooks and the metrics, and sets the caBundle. The controller then has no right to
   * change webhook configurations or CRDs.
   * @param issuer the issuer of the certificates; default: this construct creates a self-signed Issuer
   */
  public static certManager(issuer?: CertificateIssuer): Webhooks {
    return new Webhooks('cert-manager', issuer);
  }

  /** The controller serves no webhooks. */
  public static none(): Webhooks {
    return new Webhooks('none');
  }

  /** The issuer of the certificates, if it is not the Issuer that this construct creates. */
  public readonly issuer: CertificateIssuer | undefined;

  private constructor(private readonly certificate: 'own' | 'cert-manager' | 'none', issuer?: CertificateIssuer) {
    this.issuer = issuer;
  }

  /** @internal */
  public get _certificate(): 'own' | 'cert-manager' | 'none' {
    return this.certificate;
  }
}
