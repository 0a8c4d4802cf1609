/** Syncs that Argo CD starts by itself. */
export interface ArgoAutomatedSync {
  /**
   * Whether Argo CD deletes objects that are no longer in Git. The deletion of an object of Azure Service Operator deletes the resource in
   * Azure, unless its removal or reconcile policy keeps it.
   * @default false
   */
  readonly prune?: boolean;
  /**
   * Whether Argo CD corrects objects that were changed in the cluster.
   * @default true
   */
  readonly selfHeal?: boolean;
}

/** Retries of a sync that failed. Durations are spelt as in Go: `5s`, `3m`. */
export interface ArgoRetry {
  /**
   * The number of retries; -1 for unlimited.
   * @default 5
   */
  readonly limit?: number;
  /**
   * The delay before the first retry, which is doubled for each further one.
   * @default 10s
   */
  readonly duration?: string;
  /**
   * The longest delay.
   * @default 3m
   */
  readonly maxDuration?: string;
}

/** How Argo CD brings objects into the cluster. */
export interface ArgoSyncPolicy {
  /**
   * Syncs that Argo CD starts by itself.
   * @default - none: you start each sync
   */
  readonly automated?: ArgoAutomatedSync;
  /**
   * Whether Argo CD creates the namespace of the destination.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * Whether the API server merges the manifests into the objects (server-side apply). Without it the whole manifest is kept in an
   * annotation, for which CRDs and some objects are too large.
   * @default true
   */
  readonly serverSideApply?: boolean;
  /**
   * Further options, e.g. `ApplyOutOfSyncOnly=true`. `Replace=true` is refused: it removes the annotations in which the operator keeps ids.
   * @default - none
   */
  readonly options?: string[];
  /**
   * Retries of a sync that failed.
   * @default - 5 retries, after 10 seconds to 3 minutes
   */
  readonly retry?: ArgoRetry;
}
