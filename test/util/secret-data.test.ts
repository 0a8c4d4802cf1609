import { decodeSecretData, encodeSecretData, secretText } from '../../src/util/secret-data';

test('texts come back from data, whatever their characters', () => {
  const texts = { password: 'pä$$ wörd\n', empty: '' };
  expect(encodeSecretData({ user: 'me' })).toEqual({ user: 'bWU=' });
  expect(decodeSecretData(encodeSecretData(texts))).toEqual(texts);
  expect(decodeSecretData({ number: 1, user: 'bWU=' })).toEqual({ user: 'me' });
});

test('stringData counts before data, as in the API server, even where it is empty', () => {
  const data = { user: 'bWU=', other: 'bWU=' };
  const secret = { data, stringData: { user: '' } };
  expect(['user', 'other', 'absent', 'constructor'].map((key) => secretText(secret, key))).toEqual(['', 'me', undefined, undefined]);
});
