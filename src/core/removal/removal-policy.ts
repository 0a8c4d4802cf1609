/**
 * What becomes of the Azure resource when its Kubernetes object is deleted. Says more plainly what `reconcilePolicy` says as
 * well, and can refuse the deletion.
 */
export enum RemovalPolicy {
  /** The Azure resource is deleted, whatever the namespace's or the controller's default: `reconcile-policy: manage`. */
  DESTROY = 'destroy',
  /** The Azure resource stays: `reconcile-policy: detach-on-delete`. */
  RETAIN = 'retain',
  /**
   * The cluster refuses to delete the object, by a ValidatingAdmissionPolicy that comes with the chart (Kubernetes 1.30 and
   * newer). Should the object go all the same, because somebody deleted that policy first, the Azure resource stays.
   */
  PROTECT = 'protect',
}
