import { plural } from '../../../../src/util/words';

jest.mock('../../../../src/util/words', () => ({ plural: () => 'replaced' }));

test('a module is replaced in this suite', () => {
  expect(plural).toBeDefined();
  expect(jest.requireMock<{ plural: () => string }>('../../../../src/util/words').plural()).toBe('replaced');
});
