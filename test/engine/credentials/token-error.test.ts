import fc from 'fast-check';
import { tokenError, type TokenRequestFacts } from '../../../engine/credentials/token-error';
import { CredentialError } from '../../../engine/credentials/types';

const SECRET = 'aB3~hunter2.hunter2-hunter2';
const facts: TokenRequestFacts = {
  where: 'credential Secret "ns/s"',
  mode: 'clientSecret',
  clientId: 'the-client',
  tenantId: 'the-tenant',
  authorityHost: 'https://login.microsoftonline.com/',
  secrets: [SECRET],
};
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertion = `${part({ alg: 'RS256' })}.${part({ iss: 'https://issuer.example/', sub: 'system:serviceaccount:ns:aso-workload' })}.c2lnbmF0dXJl`;

/** As the identity library throws it. */
function entra(code: number, text: string): Error {
  const description = `AADSTS${code}: ${text} Trace ID: 0a Correlation ID: 0b Timestamp: 2026-01-01 00:00:00Z`;
  const inner = Object.assign(new Error(`invalid_client: Error(s): ${code} - Timestamp: 2026-01-01 00:00:00Z - Description: ${description} - Correlation ID: 0b - Trace ID: 0a`), { name: 'ServerError' });
  return new Error(inner.message, { cause: inner });
}

test.each<[number, string, string]>([
  [
    7000215,
    'CredentialRejected',
    'the client secret is wrong: put the value of the secret, not its id, under key "AZURE_CLIENT_SECRET" of the credential Secret "ns/s"',
  ],
  [7000222, 'CredentialExpired', 'the client secret has expired: make a new one in Entra'],
  [700027, 'CredentialRejected', 'the certificate is not (or no longer) one of the application'],
  [700016, 'CredentialRejected', 'tenant "the-tenant" has no application or identity with client id "the-client"'],
  [90002, 'CredentialRejected', 'there is no tenant "the-tenant"'],
  [700024, 'CredentialRejected', 'compare the clocks'],
  [53003, 'CredentialRejected', 'Entra gives no token for the credential Secret "ns/s"'],
])('AADSTS%i is %s, with what to do', (code, problem, message) => {
  const error = tokenError(entra(code, 'The words of Entra.'), facts);
  expect(error.problem).toBe(problem);
  expect(error.message).toContain(message);
  // Entra's words, without what differs with every try: the condition must not change with it.
  expect(error.message).toMatch(new RegExp(`\\(AADSTS${code}: The words of Entra\\.\\)$`));
});

test.each([70021, 70025, 700211, 700212, 700213])('AADSTS%i: the federated credential that is missing is written out', (code) => {
  const error = tokenError(entra(code, 'No matching federated identity record found.'), { ...facts, mode: 'namespaceIdentity', assertion });
  expect(error.problem).toBe('FederatedCredentialNotFound');
  expect(error.message).toContain('add one with issuer "https://issuer.example/", subject "system:serviceaccount:ns:aso-workload" and audience "api://AzureADTokenExchange"');
});

test('a line break in the secret is what it mostly is', () => {
  expect(tokenError(entra(7000215, 'x'), { ...facts, secrets: ['value\n'] }).message).toContain(
    '(it begins or ends with a blank or a line break)',
  );
});

test('an answer that is no JSON', () => {
  const cause = new SyntaxError('Unexpected token \'<\', "<html><bod"... is not valid JSON');
  const error = tokenError(new Error('network_error', { cause }), facts);
  expect(error).toMatchObject({
    problem: 'UnknownError',
    message: expect.stringContaining('the answer of the token endpoint at https://login.microsoftonline.com/ is no JSON'),
  });
});

test('the metadata endpoint', () => {
  expect(tokenError(new Error('connect ETIMEDOUT 169.254.169.254'), { ...facts, mode: 'managedIdentity' }).problem).toBe(
    'CredentialUnavailable',
  );
});

test('what is clear already stays', () => {
  const error = new CredentialError('x', 'ServiceAccountNotFound');
  expect(tokenError(error, facts)).toBe(error);
});

describe('no secret is shown, whoever quotes it', () => {
  test.each([
    ['the secret', SECRET],
    ['the secret in a form', `client_secret=${encodeURIComponent(SECRET)}&scope=x`],
    ['its base64', Buffer.from(SECRET).toString('base64')],
    ['the hint', 'Secret hint: aB3'],
    ['the assertion', assertion],
    ['a part of the assertion', assertion.slice(0, 40)],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMIIhunter2\n-----END PRIVATE KEY-----'],
  ])('%s', (_, quoted) => {
    for (const error of [
      entra(7000215, `They said: ${quoted} was wrong.`),
      new Error(`POST failed: ${quoted}`, { cause: new Error(`body ${quoted}`) }),
    ]) {
      const shown = tokenError(error, { ...facts, assertion });
      expect(`${shown.message}\n${shown.stack}\n${String(shown.cause)}`).not.toMatch(/hunter2|aB3|eyJ|c2lnbmF0dXJl|MII/);
    }
  });

  test('any secret, anywhere', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 40 }).filter((text) => text.trim().length >= 6),
        fc.string(),
        (value, around) => {
          const clean = tokenError(entra(7000215, `${around} `), { ...facts, secrets: [value] }).message;
          const shown = tokenError(entra(7000215, `${around} ${value} ${around}`), { ...facts, secrets: [value] }).message;
          // Text that our own words share with the value by chance does not count.
          if (!clean.includes(value)) expect(shown).not.toContain(value);
        },
      ),
    );
  });
});
