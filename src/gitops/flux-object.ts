/** Reference from a Flux object to another object. */
export interface FluxReference {
  /** Kind of the object, e.g. `GitRepository`. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /**
   * Namespace of the object.
   * @default - that of the referring object
   */
  readonly namespace?: string;
}

/** An object of the same kind that must be ready first. */
export interface FluxDependency {
  /** Name of the object. */
  readonly name: string;
  /**
   * Namespace of the object.
   * @default - that of the dependent object
   */
  readonly namespace?: string;
}

/** Authentication provider for a registry or repository. */
export enum FluxProvider {
  /** With the credentials of the Secret, or anonymously. */
  GENERIC = 'generic',
  /** With the workload identity or managed identity of Flux. */
  AZURE = 'azure',
  /** With the identity of Flux in AWS. */
  AWS = 'aws',
  /** With the identity of Flux in Google Cloud. */
  GCP = 'gcp',
  /** As a GitHub App; for Git only. */
  GITHUB = 'github',
}
