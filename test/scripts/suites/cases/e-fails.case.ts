test('an expectation', () => expect(1).toBe(2));
test('a test that does not end', () => new Promise(() => undefined), 20);
test('a promise that nobody awaits', async () => {
  void Promise.reject(new Error('lost'));
  await new Promise((resolve) => setTimeout(resolve, 1));
});
describe('a hook', () => {
  beforeAll(() => {
    throw new Error('no server');
  });
  test('that fails', () => undefined);
});
test('and one that is fine', () => undefined);
