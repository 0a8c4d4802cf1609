/**
 * Reasons of a Ready condition with severity Warning for which an object waits for something else, e.g. its owner, and that are ordinary
 * while objects are created (docs/spec/conditions.md#reasons).
 */
export const WAITING_REASONS: readonly string[] = [
  'WaitingForOwner',
  'ReferenceNotFound',
  'SecretNotFound',
  'ConfigMapNotFound',
  'CredentialNotFound',
  'FederatedCredentialNotFound',
  'CacheNotSynced',
  'KindNotWatched',
  'ReconciliationBlocked',
  'PostReconciliationFailure',
  'AnotherOperationInProgress',
];
