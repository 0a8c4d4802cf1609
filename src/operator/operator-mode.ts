/**
 * Which half of the controller runs. Several controllers of one cluster share one that serves the webhooks.
 * @see https://azure.github.io/azure-service-operator/guide/authentication/multitenant-deployment/
 */
export enum OperatorMode {
  /** Reconciles, and serves webhooks. */
  ALL = 'watchers-and-webhooks',
  /** Reconciles; another controller of the cluster serves the webhooks and has the CRDs. */
  WATCHERS = 'watchers',
  /** Serves webhooks and has the CRDs; needs no credential. */
  WEBHOOKS = 'webhooks',
}
