/** Milliseconds. All replicas of one protocol have the same terms. */

/** A replica acts for so long after it has sent its last renewal. */
export const TERM_MS = 10_000;
/** Others leave an unchanged Lease alone for at least so long. */
export const LEASE_MS = 15_000;
/**
 * A member whose Lease was seen unchanged for so long seems to be gone: more than three renewals are missing. The others fill their caches
 * for what would be theirs, and nothing else, as long as it may act.
 */
export const SUSPECT_MS = 7_000;
/**
 * Difference between the two clocks of a process that ends its term: it was suspended, or its wall clock was set. Together with the term
 * less than the lease, with a rest for a request that is under way.
 */
export const MAX_DRIFT_MS = 2_000;
/** Between renewals, reads of the group's Lease, and lists. */
export const TURN_MS = 2_000;
/** The same for lists while replicas do not agree yet. */
export const FAST_TURN_MS = 500;
/** Members that come or go within this time make one change. */
export const DEBOUNCE_MS = 1_000;
/** Time for a host to prepare. */
export const PREPARE_MS = 60_000;
/** Time to end at once what is left then. */
export const ABORT_MS = 5_000;
/** Without an answer for so long, a request counts as failed. It may still arrive. */
export const REQUEST_MS = 5_000;
/** A Lease of a member that is unchanged for so long is garbage. */
export const GARBAGE_MS = 600_000;
/** A Lease that was released is garbage after this time: by then all members have seen that it was. */
export const RELEASED_GARBAGE_MS = 60_000;
/** Time for another thread to take a snapshot of the ownership, before the fence makes the last one void. */
export const SNAPSHOT_MS = 1_000;
