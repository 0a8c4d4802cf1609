import { simulate } from './simulate';

test.each([1, 2, 28, 51])('seed %i', async (seed) => {
  expect(await simulate(seed)).toEqual([]);
});
