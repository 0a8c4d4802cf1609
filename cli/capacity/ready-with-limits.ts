import { capacityOf } from './capacity';
import type { Manifest } from '../manifests/manifests';

/** The time until all resources of files are Ready from nothing, with Azure's limits of requests. */
export interface ReadyWithLimits {
  readonly seconds: number;
  /** The kind of request of which Azure takes no more; absent: resources wait for each other for longer. */
  readonly boundBy?: 'reads' | 'writes';
}

/** The time that `capacity` says, for the commands that say the same. */
export function readyWithLimits(manifests: readonly Manifest[], subscriptionId?: string): ReadyWithLimits {
  const { report: { readySeconds: seconds, buckets } } = capacityOf(manifests, { subscriptionId });
  const slowest = buckets.find(({ firstCreation }) => firstCreation.seconds === seconds)?.firstCreation;
  return slowest === undefined || slowest.boundBy === 'critical path' ? { seconds } : { seconds, boundBy: slowest.boundBy };
}
