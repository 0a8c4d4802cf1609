/**
 * The operations that the controller may perform in Azure for an object.
 * @see https://azure.github.io/azure-service-operator/guide/annotations/#serviceoperatorazurecomreconcile-policy
 */
export enum ReconcilePolicy {
  /** Create, update and delete. */
  MANAGE = 'manage',
  /** Read only: nothing is created, updated or deleted; outputs are exported. */
  SKIP = 'skip',
  /** Create and update; deleting the object leaves the Azure resource. */
  DETACH_ON_DELETE = 'detach-on-delete',
}
