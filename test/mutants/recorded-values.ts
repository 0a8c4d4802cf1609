import type { Group, Mutant } from './mutant';
import { pairsIn, type Pair } from '../../scripts/accept-compare/pairs';
import { changesOf } from '../../scripts/accept-compare/unseen';

/** Single values of recorded requests, each changed by itself: the comparer has to report each, at its path. One mutant for each case. */
export function recordedValues(directory: string): Group {
  let pairs: readonly Pair[];
  try {
    pairs = pairsIn(directory);
  } catch {
    return { mutants: [], skipped: `there are no recorded cases in ${directory}; give --cases DIR` };
  }
  const names = [...new Set(pairs.map(({ caseName }) => caseName))];
  return { mutants: names.flatMap((name) => mutantOf(name, pairs.filter(({ caseName }) => caseName === name))) };
}

function mutantOf(caseName: string, pairs: readonly Pair[]): Mutant[] {
  const changes = pairs.map(changesOf);
  const changed = changes.reduce((sum, one) => sum + one.changed, 0);
  const [unseen] = changes.flatMap((one) => one.unseen);
  // Requests of kinds that have nothing but a name.
  if (changed === 0) return [];
  return [{
    name: `a value of ${caseName} is changed in Azure`,
    find: () => Promise.resolve(
      unseen === undefined ? { found: true, by: `${changed} values, each by its path` } : { found: false, why: unseen },
    ),
  }];
}
