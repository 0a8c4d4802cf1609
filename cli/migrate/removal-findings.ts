import { warning, type Finding } from './finding';
import type { InstalledObject } from './steps/remove-aso';
import { firstOf, listed } from '../../src/util/words';

const MOST_NAMED = 5;

/** Objects of the old controller that others hold, or that are going already: their removal waits for them. */
export function removalFindings(removed: readonly InstalledObject[]): Finding[] {
  return removed.flatMap(({ type, name, metadata: { finalizers = [], deletionTimestamp } }) => {
    if (finalizers.length === 0) return [];
    const going = deletionTimestamp === undefined ? 'would be held' : 'is being deleted, and held';
    return [warning('installation', `the ${type.kind} ${name} ${going} by ${firstOf(finalizers, MOST_NAMED)}`, `see whose finalizers they are: remove-aso waits for ${listed([`the ${type.kind}`])} to go`)];
  });
}
