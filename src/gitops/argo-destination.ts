/** The cluster and namespace of an Application. Give `server` or `name`, or neither for the cluster of Argo CD. */
export interface ArgoDestination {
  /**
   * URL of the cluster's API server.
   * @default - the cluster of Argo CD, unless there is a `name`
   */
  readonly server?: string;
  /**
   * Name of the cluster in Argo CD.
   * @default - `server`
   */
  readonly name?: string;
  /**
   * Namespace of objects that name none; in a project, the namespace that is allowed.
   * @default - none; in a project, every namespace
   */
  readonly namespace?: string;
}
