import { MISTAKES } from './mistakes';
import { SHARD_MISTAKES } from './mistakes-of-shards';
import { PENDING } from './pending';
import type { SimulationJob } from './worker';
import type { SimulatedMutant } from '../mutants/by-seeds';

/**
 * Seeds that may pass before a mistake has to be found. First those that are known to find one: in 20 something is edited under `skip`, in
 * 223 something is deleted under it, in 14 something is let go.
 */
const SEEDS = [77, 1, 14, 20, 111, 223, 147, ...Array.from({ length: 40 }, (_, index) => index + 1)];
/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'DELETE despite skip': 128,
  'PUT despite skip': 46,
  'DELETE despite detach-on-delete': 112,
  'the object goes before its resource': 20,
  'a bucket gives out more than it has': 111,
  'a Retry-After is forgotten': 14,
  'a lost answer is taken for none sent': 14,
  'siblings do not wait for the operation of an earlier process': 60,
  'the global credential helps out': 27,
  'a PUT does not wait until the Secret of its credential is kept': 14,
  'a list that has not come counts as empty': 111,
  'a Secret whose content was not read counts as absent': 6,
  'a process that leads no more goes on': 59,
  'drift is given up after three corrections': 6,
  'an owner that this process has sent counts as made by it': 33,
  'a parent is sent without the children of others': 14,
  'a 200 that is no resource counts as an empty one': 15,
  'a 200 of another resource is trusted': 6,
  'any 404 says that there is no resource': 67,
};

/** The same, of replicas that share the namespaces. */
const SHARD_SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
const SHARDS_FOUND_IN: Readonly<Record<string, number>> = {
  'writes to Azure do not ask the fence': 40,
  'writes to Kubernetes do not ask the fence': 2,
  'reconciles of a namespace that is given away do not end first': 2,
  'reconciles begin in a namespace that is given away': 2,
  'a namespace that is not listed yet is taken for empty': 24,
  'a term does not end': 3,
  'trees are not read before a write to Azure': 18,
  'an object that comes to another tree is not left alone': 59,
  'a namespace that is split has one owner': 2,
};

/** Mistakes of the controller, which `mutations.test.ts` and `npx projen mutants` look for. */
export const CONTROLLER_MUTANTS: readonly SimulatedMutant<SimulationJob>[] = Object.entries(MISTAKES).map(([name, { says = /./ }]) => ({
  name,
  seeds: seedsFrom(FOUND_IN[name], SEEDS),
  job: (seed, mistake) => ({ seed, without: PENDING, ...(mistake === undefined ? {} : { mistake }) }),
  isFoundBy: (violation) => says.test(violation),
}));

/** Mistakes of replicas that share the namespaces. */
export const SHARD_MUTANTS: readonly SimulatedMutant<SimulationJob>[] = Object.entries(SHARD_MISTAKES).map(([name, { says }]) => ({
  name,
  seeds: seedsFrom(SHARDS_FOUND_IN[name], SHARD_SEEDS),
  job: (seed, mistake) => ({ seed, shards: true, ...(mistake === undefined ? {} : { mistake }) }),
  isFoundBy: (violation) => says.test(violation),
}));

function seedsFrom(first: number | undefined, seeds: readonly number[]): number[] {
  return [...new Set(first === undefined ? seeds : [first, ...seeds])];
}
