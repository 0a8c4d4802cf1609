import { textBefore } from '../../src/util/text-before';

test('the text before the first separator', () => {
  expect(textBefore('a/b/c', '/')).toBe('a');
  expect(textBefore('/b', '/')).toBe('');
  expect(textBefore('https://host?a#b', /[?#]/)).toBe('https://host');
});

test('the whole text without a separator', () => {
  expect(textBefore('abc', '/')).toBe('abc');
  expect(textBefore('', '/')).toBe('');
});
