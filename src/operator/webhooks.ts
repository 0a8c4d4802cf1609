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
 * Whether objects are defaulted, validated and converted by webhooks, and where their certificate comes from. Without webhooks the same
 * rules become conditions of the objects, and each kind can be served in one version only.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export class Webhooks {
  /** The controller makes its certificate, renews it, and has the API server trust it. Needs nothing else in the cluster. */
  public static ownCertificate(): Webhooks {
    return new Webhooks('own');
  }

  /**
   * cert-manager makes the certificate, and that of the metrics, and has the API server trust it. The controller then has no right to
   * change webhook configurations or CRDs.
   * @param issuer who signs; default: a self-signed Issuer is made
   */
  public static certManager(issuer?: CertificateIssuer): Webhooks {
    return new Webhooks('cert-manager', issuer);
  }

  /** None. */
  public static none(): Webhooks {
    return new Webhooks('none');
  }

  /** Who signs, where that is not an Issuer of this construct. */
  public readonly issuer?: CertificateIssuer;

  private constructor(private readonly certificate: 'own' | 'cert-manager' | 'none', issuer?: CertificateIssuer) {
    this.issuer = issuer;
  }

  /** @internal */
  public get _certificate(): 'own' | 'cert-manager' | 'none' {
    return this.certificate;
  }
}
