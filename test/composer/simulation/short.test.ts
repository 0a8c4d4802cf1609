import { simulate } from './simulate';

// In 7 another program makes an object again, under the name of one that is about to be deleted.
test.each([1, 2, 7, 28, 51])('seed %i', async (seed) => {
  expect(await simulate(seed)).toEqual([]);
});
