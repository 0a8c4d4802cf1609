/**
 * The part of the controller that runs. Several controllers of one cluster share a single one that serves the webhooks.
 * @see https://azure.github.io/azure-service-operator/guide/authentication/multitenant-deployment/
 */
export enum OperatorMode {
  /** The controller reconciles and serves webhooks. */
  ALL = 'watchers-and-webhooks',
  /** The controller reconciles; another controller of the cluster serves the webhooks and installs the CRDs. */
  WATCHERS = 'watchers',
  /** The controller serves webhooks and installs the CRDs; it needs no credential. */
  WEBHOOKS = 'webhooks',
}
