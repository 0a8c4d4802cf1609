import type { ReconcilePolicy, RemovalPolicy } from '../../core';

/** Lifecycle settings of each resource of a service. */
export interface Lifecycle {
  /**
   * The fate of the Azure resource when it is removed from the service.
   * @default - that of the resource in which it lies, if the request gives one there; else `detach-on-delete` for resources in shared
   *   services that the team's credential may not delete; else the resource is deleted
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * The operator's reconcile policy for the resource.
   * @default - derived from `removalPolicy`, else `manage`
   */
  readonly reconcilePolicy?: ReconcilePolicy;
}
