/** A token bucket: its capacity and its refill rate. */
export interface RequestBucket {
  /** Requests at once when the bucket is full. */
  readonly size: number;
  /** Requests that are refilled per second. */
  readonly refillPerSecond: number;
}

/**
 * The request limits of Azure Resource Manager, for each subscription, principal and kind of request in a region; the same again for
 * requests above subscriptions (the tenant). GET and HEAD are reads; PUT, PATCH and POST are writes, including the listing of keys. Trial
 * subscriptions may have lower limits; providers have additional limits.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 * @see https://github.com/Azure/azure-rest-api-specs/issues/6363 for the listing of keys
 */
export const ARM_REQUEST_LIMITS = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
} as const satisfies Readonly<Record<string, RequestBucket>>;

/**
 * All principals of a subscription together may send this multiple of one principal's limit.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const ALL_PRINCIPALS_FACTOR = 15;

/**
 * Additional limits of resource providers, for all principals of a subscription together. Only documented limits so low that a burst
 * reaches them before Azure responds. Azure Storage takes ten writes in any second: the bucket admits at most its size plus the refill of
 * that second. The response of Azure enforces its hourly limit (1,200, in each region).
 * @see https://learn.microsoft.com/azure/storage/common/scalability-targets-resource-provider
 */
export const PROVIDER_WRITE_LIMITS: Readonly<Record<string, RequestBucket>> = {
  'microsoft.storage': { size: 2, refillPerSecond: 8 },
};
