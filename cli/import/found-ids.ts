/** The resources that a source names. */
export interface FoundIds {
  readonly ids: readonly string[];
  /** Deployments and lists that Azure does not show. */
  readonly failed: readonly FailedSource[];
}

export interface FailedSource {
  /** The id or the list that was asked for. */
  readonly id: string;
  readonly why: string;
}
