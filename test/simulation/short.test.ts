import { PENDING } from './pending';
import { simulate } from './simulate';

// A taste of `simulation.test.ts`, which runs more seeds, and those that once found a mistake.
test.each([1, 2])('seed %i comes right, and nothing forbidden happens on the way', async (seed) => {
  const { violations, requests } = await simulate(seed, { without: PENDING });
  expect(violations).toEqual([]);
  expect(requests).toBeGreaterThan(100);
}, 120_000);
