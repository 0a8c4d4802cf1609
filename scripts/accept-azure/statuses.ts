/** Exit statuses of `npm run accept:azure`. */
export const STATUS = {
  /** All steps went well. Differences from the simulator are told, and no failure. */
  passed: 0,
  /** A step failed for a resource. */
  failed: 1,
  /** The command line is wrong, or there is no identity. Nothing was made. */
  usage: 2,
  /** The resource group could not be deleted: it has to be by hand. */
  notCleaned: 3,
  /** Stopped by a signal; the group is deleted. */
  stopped: 130,
} as const;
