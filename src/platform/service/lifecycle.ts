import type { ReconcilePolicy, RemovalPolicy } from '../../core';

/** What may be said of each thing of a service besides its own properties. */
export interface Lifecycle {
  /**
   * What becomes of it in Azure when it is taken out of the service.
   * @default - `detach-on-delete` for queues, topics and databases where the team's credential may not delete them; else it is deleted
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * What the operator may do with it in Azure.
   * @default - as `removalPolicy` says, else everything
   */
  readonly reconcilePolicy?: ReconcilePolicy;
}
