import { PENDING } from './pending';
import { simulationsOfSuite } from './program';
import seeds from './seeds.json';
import type { Report } from './simulate';
import { atNight } from '../setup/at-night';

/** `SIMULATION_SEEDS=1000 npx jest test/simulation` for more. */
const COUNT = Number(process.env.SIMULATION_SEEDS ?? atNight(12, 6));
const simulate = simulationsOfSuite();
const run = (seed: number) => simulate({ seed, without: PENDING });

function expectGreen({ seed, faults, violations }: Report): void {
  if (violations.length > 0) {
    throw new Error(
      `seed ${seed} (${faults.join(', ')}):\n${violations.join('\n')}\nRepeat it: npx tsx test/simulation/run.ts --seed ${seed}`,
    );
  }
}

/** All of them at night: a simulation takes four seconds, and what one of them once found has a test of its own. */
const KEPT = atNight(seeds, seeds.filter((_, index) => index % 8 === 0));

test('seeds that once found a mistake stay green', async () => {
  for (const seed of KEPT) expectGreen(await run(seed));
});

test('everything comes right once faults stop, and nothing forbidden happens on the way', async () => {
  let [crashes, requests] = [0, 0];
  const faults = new Set<string>();
  for (let seed = 1; seed <= COUNT; seed += 1) {
    const report = await run(seed);
    expectGreen(report);
    crashes += report.crashes;
    requests += report.requests;
    report.faults.forEach((fault) => faults.add(fault));
  }
  // The simulations were not idle.
  expect(crashes).toBeGreaterThan(COUNT / 4);
  expect(requests).toBeGreaterThan(100 * COUNT);
  expect(faults.size).toBeGreaterThan(20);
});

test('a seed is one run: the same steps again, and others of another seed', async () => {
  const [first, again, other] = [await run(7), await run(7), await run(8)];
  expect(again).toEqual(first);
  expect(other.hash).not.toBe(first.hash);
  expect(first.steps).toBeGreaterThan(500);
});
