import { storageKinds } from './kept';

test('it finds nothing of another suite', async () => {
  expect(process.env.CDK8S_ASO_LEFT).toBeUndefined();
  expect(process.env.HOME).toBeDefined();
  expect('leftByASuite' in globalThis).toBe(false);
  expect(fetch.name).toBe('fetch');
  expect(jest.isMockFunction(Math.random)).toBe(false);
  expect(storageKinds).toEqual([]);
  expect(process.cwd()).not.toMatch(/cases$/);
  // With a fake clock it would never end.
  await new Promise((resolve) => setTimeout(resolve, 1));
});
