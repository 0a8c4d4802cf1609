import fc from 'fast-check';
import { errorWithoutSecrets, withoutSecrets, withoutTokens } from '../../controller/hide-secrets';
import { KubernetesError } from '../../controller/kubernetes';

const SECRET = 'p@ss "w0rd"\\ of\tmine';

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify({ properties: { password: SECRET } })],
  ['in a URL', `https://x/?p=${encodeURIComponent(SECRET)}`],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['on one line', SECRET.replace(/\s+/g, ' ')],
])('a secret %s is not shown', (_, quoted) => {
  const shown = withoutSecrets(`before ${quoted} after`, [SECRET]);
  expect(shown).toMatch(/^before .*\*\*\*.* after$/);
  expect(shown).not.toContain('w0rd');
});

test('a secret that was cut off is not shown either', () => {
  expect(withoutSecrets('the value hunter2~hun… is wrong', ['hunter2~hunter2.hunter2'])).toBe('the value ***… is wrong');
  expect(withoutSecrets('hunt…', ['hunter2~hunter2'])).toBe('***…');
});

test('no value survives, whatever is around it; without values the text stays', () => {
  const values = fc.array(fc.string({ minLength: 4, maxLength: 30 }).filter((text) => text.trim().length >= 4 && !text.includes('*')), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(fc.string(), values, fc.string(), (before, secrets, after) => {
    const shown = withoutSecrets(`${before}${secrets.join(' ')}${after}`, secrets);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(withoutSecrets(before, [])).toBe(before);
  }));
});

test('words that are too short to be secrets stay', () => expect(withoutSecrets('a cat', ['cat'])).toBe('a cat'));

test('tokens and private keys are not shown, whoever they belong to', () => {
  const token = `eyJhbGciOi.${Buffer.from('claims').toString('base64url')}.sig-na_ture`;
  expect(withoutTokens(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer ***');
  expect(withoutTokens('bearer 0123456789abcdef0123456789')).toBe('bearer ***');
  expect(withoutTokens('{"a":"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n","b":1}')).toBe('{"a":"***\\n","b":1}');
  expect(withoutTokens('Bearer token needed')).toBe('Bearer token needed');
});

test('an error stays what it is', () => {
  const error = new KubernetesError(422, 'Invalid', 'metadata.labels: Invalid value: "hunter2"');
  error.cause = new Error('hunter2');
  const shown = errorWithoutSecrets(error, ['hunter2']);
  expect(shown).toBeInstanceOf(KubernetesError);
  expect(shown).toMatchObject({ status: 422, reason: 'Invalid', message: 'metadata.labels: Invalid value: "***"', name: 'KubernetesError', cause: { message: '***' } });
  expect(shown.stack).not.toContain('hunter2');
  expect(error.message).toContain('hunter2');
});
