/**
 * Whether the Azure resource is kept when its Kubernetes object is deleted. More explicit than `reconcilePolicy`, and can also refuse the
 * deletion of the object.
 */
export enum RemovalPolicy {
  /** Deletes the Azure resource, whatever the namespace's or the controller's default: `reconcile-policy: manage`. */
  DESTROY = 'destroy',
  /** Keeps the Azure resource: `reconcile-policy: detach-on-delete`. */
  RETAIN = 'retain',
  /**
   * The cluster refuses to delete the object, by a ValidatingAdmissionPolicy that is part of the chart (Kubernetes 1.30 and newer). If the
   * object is deleted all the same, because a user deleted that policy first, the Azure resource is kept.
   */
  PROTECT = 'protect',
}
