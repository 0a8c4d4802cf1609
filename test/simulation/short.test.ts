import { PENDING } from './pending';
import { simulate } from './simulate';

// A taste of `simulation.test.ts`, which runs more seeds, and those that once found a mistake.
test('a seed comes right, and nothing forbidden happens on the way', async () => {
  const { violations, requests } = await simulate(1, { without: PENDING });
  expect(violations).toEqual([]);
  expect(requests).toBeGreaterThan(100);
});
