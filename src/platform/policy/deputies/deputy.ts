/**
 * A kind whose controller writes, reads or acts for a team with rights of its own. Paths begin at the object: `spec.target.name`,
 * `spec.secretObjects[].secretName`, `metadata.name`.
 */
export interface Deputy {
  /** API group, e.g. `external-secrets.io`. */
  readonly group: string;
  /** Kind, e.g. `ExternalSecret`; `*` for all kinds of the group that have no entry of their own. */
  readonly kind: string;
  /**
   * Paths with names of Secrets that the controller writes: none of them may be a credential or another Secret of the platform.
   * @default - none
   */
  readonly secrets?: string[];
  /**
   * Paths with names of ConfigMaps that the controller writes: none of them may be the platform's.
   * @default - none
   */
  readonly configMaps?: string[];
  /**
   * Path of the service account as which the controller acts. It has to be there: without it the controller acts with rights of its own.
   * @default - none: the controller always acts with rights of its own
   */
  readonly serviceAccount?: string;
  /**
   * Parts of the object, up to eight levels deep, in which no text may be a credential, a service account of the operator or the platform,
   * or the type of Secrets into which Kubernetes writes tokens: the controller would read the one and act as the other.
   * @default ['spec']
   */
  readonly searched?: string[];
  /**
   * Paths that have to be missing: what they bring about is known only when the controller acts.
   * @default - none
   */
  readonly refused?: string[];
  /**
   * Whether such objects are refused altogether: they say what they bring about in a language of their own.
   * @default false
   */
  readonly refusedAltogether?: boolean;
}
