import { simulationsOfSuite } from './program';
import { atNight } from '../setup/at-night';

/** `SHARD_SEEDS=100 npx jest test/simulation/shards.test.ts` for more. */
const COUNT = Number(process.env.SHARD_SEEDS ?? atNight(4, 2));
const simulate = simulationsOfSuite();

test('replicas that share the namespaces: everything comes right, and no two of them write for one', async () => {
  let moves = 0;
  let splits = 0;
  const happened = new Set<string>();
  for (let seed = 1; seed <= COUNT; seed += 1) {
    const report = await simulate({ seed, shards: true });
    if (report.violations.length > 0) {
      throw new Error(`seed ${seed}:\n${report.violations.join('\n')}\nRepeat it: npx tsx test/simulation/run.ts --shards --seed ${seed}`);
    }
    moves += report.moves;
    splits += report.splits;
    report.shardFaults.forEach((fault) => happened.add(fault));
  }
  // Namespaces were split by owner tree, or made whole again; the replicas were disturbed, and namespaces went from one to another.
  expect(splits).toBeGreaterThan(0);
  expect(moves).toBeGreaterThan(5 * COUNT);
  expect(happened.size).toBeGreaterThan(5);
});
