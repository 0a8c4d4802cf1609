/** A token bucket: holds so many requests, and gets so many back each second. */
export interface RequestBucket {
  /** Requests at once when the bucket is full. */
  readonly size: number;
  /** Requests a second that come back. */
  readonly refillPerSecond: number;
}

/**
 * How many requests Azure Resource Manager takes, for each subscription, principal and kind of request in a region; the same again for requests
 * above subscriptions (the tenant). GET and HEAD are reads; PUT, PATCH and POST are writes, the listing of keys too.
 * Trial subscriptions may have less; providers have limits of their own besides.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 * @see https://github.com/Azure/azure-rest-api-specs/issues/6363 for the listing of keys
 */
export const ARM_REQUEST_LIMITS = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
} as const satisfies Readonly<Record<string, RequestBucket>>;

/**
 * All principals of a subscription together may send so many times what one may.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const ALL_PRINCIPALS_FACTOR = 15;

/**
 * What a resource provider takes besides, for all principals of a subscription together, where that is documented and so little that a burst
 * meets it before Azure has said anything. Azure Storage takes ten writes in any second: a bucket that lets no more through than its size and what comes
 * back in that second. Its limit by the hour (1,200, in each region) is left to what Azure answers.
 * @see https://learn.microsoft.com/azure/storage/common/scalability-targets-resource-provider
 */
export const PROVIDER_WRITE_LIMITS: Readonly<Record<string, RequestBucket>> = {
  'microsoft.storage': { size: 2, refillPerSecond: 8 },
};
