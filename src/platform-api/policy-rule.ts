/** A rule of rights in Kubernetes, as in a ClusterRole. */
export interface PolicyRule {
  /** API groups; the empty text for the core group. */
  readonly apiGroups: readonly string[];
  /** Plurals, e.g. `services`. */
  readonly resources: readonly string[];
  /** Verbs, e.g. `get`; `bind` of roles for those that are bound without their rights. */
  readonly verbs: readonly string[];
  /**
   * Names of single objects.
   * @default - all
   */
  readonly resourceNames?: readonly string[];
}
