/** Chain and key of a TLS server. PEM. */
export interface ServingCertificate {
  /** The chain, the server's own first. */
  readonly cert: string;
  readonly key: string;
}
