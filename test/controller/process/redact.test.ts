import fc from 'fast-check';
import { KubernetesError } from '../../../engine/kubernetes';
import type * as Redact from '../../../engine/redact';
import type * as Secrets from '../../../engine/redact/secrets';
import { truncate } from '../../../engine/text-limits';
import { counted, growth, workOf } from '../../setup/work';

const { redactError, redactTokens } = counted<typeof Redact>('engine/redact');
const { redact, redactor, redactSecrets } = counted<typeof Secrets>('engine/redact/secrets');

const SECRET = 'p@ss "w0rd"\\ of\tmine';

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify({ properties: { password: SECRET } })],
  ['in a URL', `https://x/?p=${encodeURIComponent(SECRET)}`],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['on one line', SECRET.replace(/\s+/g, ' ')],
])('a secret %s is not shown', (_, quoted) => {
  const shown = redactSecrets(`before ${quoted} after`, [SECRET]);
  expect(shown).toMatch(/^before .*\*\*\*.* after$/);
  expect(shown).not.toContain('w0rd');
});

test('a secret that was cut off is not shown either', () => {
  expect(redactSecrets('the value hunter2~hun… is wrong', ['hunter2~hunter2.hunter2'])).toBe('the value ***… is wrong');
  expect(redactSecrets('hunt…', ['hunter2~hunter2'])).toBe('***…');
  expect(redactSecrets('…~hunter2 is wrong', ['hunter2~hunter2'])).toBe('…*** is wrong');
});

test('no value survives, whatever is around it; without values the text stays', () => {
  const values = fc.array(
    fc.string({ minLength: 4, maxLength: 30 }).filter((text) => text.trim().length >= 4 && !text.includes('*')),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.string(), values, fc.string(), (before, secrets, after) => {
      const shown = redactSecrets(`${before}${secrets.join(' ')}${after}`, secrets);
      for (const secret of secrets) expect(shown).not.toContain(secret);
      expect(redactSecrets(before, [])).toBe(before);
    }),
  );
});

describe('encodings in which values come back', () => {
  const json = (value: string) => JSON.stringify(value).slice(1, -1);
  const unicode = (characters: RegExp) => (value: string) =>
    json(value).replace(characters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const bytes = (value: string, form: (byte: number) => string) => [...Buffer.from(value)].map(form).join('');
  const html = (value: string) =>
    value.replace(/[&<>"']/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character]!);
  const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
    'plain': (value) => value,
    'percent encoding': (value) => encodeURIComponent(value),
    'percent encoding in lower case': (value) => encodeURIComponent(value).replace(/%../g, (escape) => escape.toLowerCase()),
    'percent encoding of every byte': (value) => bytes(value, (byte) => `%${byte.toString(16).padStart(2, '0')}`),
    'percent encoding of every other byte': (value) =>
      encodeURIComponent(value).replace(/[a-m]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    'a form': (value) => new URLSearchParams({ x: value }).toString().slice(2),
    'JSON': json,
    'JSON of Go and .NET': unicode(/[<>&'+]/g),
    'JSON in ASCII': unicode(/[^ -~]/g),
    'JSON with escaped slashes': (value) => json(value).replaceAll('/', '\\/'),
    'JSON in JSON': (value) => json(json(value)),
    'JSON in a URL': (value) => encodeURIComponent(json(value)),
    'a URL in JSON in a URL': (value) => encodeURIComponent(json(encodeURIComponent(value))),
    'HTML': html,
    'HTML in decimal numbers': (value) => Array.from(value, (character) => `&#${character.codePointAt(0)};`).join(''),
    'XML in hexadecimal numbers': (value) =>
      Array.from(value, (character) => `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`).join(''),
    'HTML of JSON': (value) => html(json(value)),
    'SQL': (value) => value.replaceAll("'", "''"),
    'quoted identifiers of SQL': (value) => value.replaceAll('"', '""'),
    'SQL of MySQL': (value) => value.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    'base64': (value) => Buffer.from(value).toString('base64'),
    'base64url': (value) => Buffer.from(value).toString('base64url'),
    'base64 of user:password': (value) => Buffer.from(`user:${value}`).toString('base64'),
    'base64url of another user:password': (value) => Buffer.from(`sa-admin:${value}`).toString('base64url'),
    'base64 of a connection string': (value) => Buffer.from(`x;AccountKey=${value};EndpointSuffix=core`).toString('base64'),
    'base64 in a URL': (value) => encodeURIComponent(Buffer.from(value).toString('base64')),
    'base64 in lines': (value) => Buffer.from(value).toString('base64').replace(/.{5}/g, '$&\r\n'),
    'hexadecimal digits': (value) => Buffer.from(value).toString('hex'),
    'hexadecimal digits in upper case': (value) => Buffer.from(value).toString('hex').toUpperCase(),
    'a connection string': (value) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${value};EndpointSuffix=core.windows.net`,
  };
  const secrets = fc.oneof(
    fc.string({ minLength: 6, maxLength: 80, unit: 'binary' }),
    fc.string({ minLength: 6, maxLength: 60 }),
    fc.string({ minLength: 6, maxLength: 40, unit: fc.constantFrom(...'aB3\'"\\&<>%+/=;_-.~!*() é€😀') }),
    fc.base64String({ minLength: 88, maxLength: 88 }),
    fc.string({ minLength: 600, maxLength: 900 }),
  ).filter((text) => !/\p{Surrogate}/u.test(text) && text.trim().length >= 6 && !text.includes('***'));

  /** Texts that must not be found: encodings of six characters in a row, or for base64 ten of its own characters. */
  function piecesOf(name: string, secret: string): string[] {
    const windows = (text: string, length: number) =>
      Array.from({ length: Math.max(text.length - length + 1, 0) }, (_, at) => text.slice(at, at + length));
    if (name.startsWith('base64')) {
      return windows(
        Buffer.from(secret)
          .toString(name.includes('url') ? 'base64url' : 'base64')
          .replace(/=+$/, ''),
        10,
      );
    }
    const telling = windows(secret, 6).filter((piece) => /[a-z0-9]/i.test(piece) && !/[\s'"\\`+=-]|[\ud800-\udfff]/.test(piece));
    const encode = name === 'a connection string' ? (text: string) => text : ENCODINGS[name];
    return telling
      .map(encode!)
      .filter(
        (piece) => piece.length >= 6 && !'DefaultEndpointsProtocol=https;AccountName=a;EndpointSuffix=core.windows.net'.includes(piece),
      );
  }

  test.each(Object.keys(ENCODINGS))('%s: nothing of it is shown', (name) => {
    const before = fc.constantFrom('', 'before ', 'value="', "='", '{"a":"', '<p>');
    const after = fc.constantFrom('', ' after', '" is wrong', '; next', '</p>');
    fc.assert(fc.property(secrets, before, after, (secret, start, end) => {
      const quoted = ENCODINGS[name]!(secret);
      const shown = redactSecrets(`${start}${quoted}${end}`, [secret]);
      expect(shown).not.toContain(quoted);
      expect(shown).not.toContain(secret);
      for (const piece of piecesOf(name, secret)) expect(shown).not.toContain(piece);
    }), { numRuns: 30 });
  });

  test.each(Object.keys(ENCODINGS))('%s, cut off: nothing of it is shown', (name) => {
    const secret = 'k7/Yq2w&Xz<P9Jm:tR4vL8sHc~u3';
    const quoted = ENCODINGS[name]!(secret);
    for (let length = 6; length < quoted.length; length += 1) {
      const shown = redactSecrets(`the value ${quoted.slice(0, length)}… is wrong`, [secret]);
      for (const piece of piecesOf(name, secret)) expect(shown).not.toContain(piece);
    }
  });
});

test('secrets within secrets: the key of a connection string, the password of a URL, a member of JSON', () => {
  const key = Buffer.from('a storage account key of sixty-four bytes, as Azure makes them..').toString('base64');
  const connection = `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${key};EndpointSuffix=core.windows.net`;
  expect(redactSecrets(`value ${key} is wrong`, [connection])).toBe('value *** is wrong');
  expect(redactSecrets('password tr0ub4dor&3 is wrong', ['amqps://user:tr0ub4dor%263@host:5671/vhost'])).toBe('password *** is wrong');
  expect(redactSecrets('clientSecret s3cr3t~value', [JSON.stringify({ clientId: 'app', clientSecret: 's3cr3t~value' })])).toBe(
    'clientSecret ***',
  );
});

test('a part of a long value is found wherever it was cut', () => {
  const key = Array.from({ length: 40 }, (_, index) => `line${index}-${(index * 7919).toString(36)}`).join('');
  for (let start = 0; start < key.length - 60; start += 7) expect(redactSecrets(`<${key.slice(start, start + 60)}>`, [key])).toBe('<***>');
});

test('words that are too short to be secrets stay', () => expect(redactSecrets('a cat', ['cat'])).toBe('a cat'));

test('tokens and private keys are not shown, whoever they belong to', () => {
  const token = `eyJhbGciOi.${Buffer.from('claims').toString('base64url')}.sig-na_ture`;
  expect(redactTokens(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer ***');
  expect(redactTokens('bearer 0123456789abcdef0123456789')).toBe('bearer ***');
  expect(redactTokens('{"a":"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n","b":1}')).toBe('{"a":"***\\n","b":1}');
  expect(redactTokens('Bearer token needed')).toBe('Bearer token needed');
});

test.each([
  ['a key without an end', 'key -----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg', 'key ***'],
  ['a key without an end in JSON', '{"a":"-----BEGIN PRIVATE KEY-----\\nMIIE","b":"-----END x-----"}', '{"a":"***","b":"-----END x-----"}'],
  ['two keys', '-----BEGIN A-----1-----END A----- and -----BEGIN B-----2-----END B-----.', '*** and ***.'],
  [
    'a storage key',
    'AccountName=x;AccountKey=abcdefghijklmnopqrstuvwxyz0123456789+/==;EndpointSuffix=y',
    'AccountName=x;AccountKey=***;EndpointSuffix=y',
  ],
  [
    'a key of a service bus',
    'SharedAccessKeyName=Root;SharedAccessKey=abcdefghijklmnopqrstuvwxyz=',
    'SharedAccessKeyName=Root;SharedAccessKey=***',
  ],
  [
    'a signature',
    'https://x.blob.core.windows.net/c?sv=2024&sig=abc%2Bdef%3D&se=2027',
    'https://x.blob.core.windows.net/c?sv=2024&sig=***&se=2027',
  ],
  ['a signature in a URL in a URL', 'u=https%3A%2F%2Fx%3Fsv%3D1%26sig%3Dabcdefgh%252B', 'u=https%3A%2F%2Fx%3Fsv%3D1%26sig%3D***'],
  ['basic authentication', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic ***'],
  ['a form', 'grant_type=x&client_secret=abc~def&scope=y', 'grant_type=x&client_secret=***&scope=y'],
])('%s is not shown, whoever it belongs to', (_, text, shown) => expect(redactTokens(text)).toBe(shown));

test('an error stays what it is', () => {
  const error = new KubernetesError(422, 'Invalid', 'metadata.labels: Invalid value: "hunter2"');
  error.cause = new Error('hunter2');
  const shown = redactError(error, ['hunter2']);
  expect(shown).toBeInstanceOf(KubernetesError);
  expect(shown).toMatchObject({
    status: 422,
    reason: 'Invalid',
    message: 'metadata.labels: Invalid value: "***"',
    name: 'KubernetesError',
    cause: { message: '***' },
  });
  expect(shown.stack).not.toContain('hunter2');
  expect(error.message).toContain('hunter2');
});

test('an endless chain of causes is cut, and a cycle as well', () => {
  const cycle = new Error('hunter2');
  cycle.cause = cycle;
  const shown = redactError(cycle, ['hunter2']);
  let depth = 0;
  for (let next: unknown = shown; next instanceof Error; next = next.cause) {
    expect(next.message).toBe('***');
    depth += 1;
  }
  expect(depth).toBeLessThanOrEqual(5);
});

describe('work', () => {
  const REPEATED = [
    '-----BEGIN ',
    '-----BEGIN "',
    '-----BEGIN A-----',
    '-----END ',
    '-----',
    'eyJ',
    'eyJ.',
    'eyJ-',
    'Bearer ',
    'Bearer  ',
    ' ',
    '…',
    '...',
    '%',
    '%2',
    '%41',
    '\\',
    '\\u00',
    '\\u0041',
    '&',
    '&amp;',
    '&#x1;',
    'a',
    '=',
    ';',
    'AccountKey=',
    '&sig=',
    'password=',
    '"',
    "'",
    '""',
    '\n',
    '\ud800',
  ];

  test.each(REPEATED)('%j repeated: four times as much is four times the work', (unit) => {
    const text = (length: number) => unit.repeat(Math.ceil(length / unit.length));
    const secrets = [text(100), text(10_000), `${text(1_000)}x`, `x${text(1_000)}`];
    expect(growth(10_000, (length) => redactTokens(text(length)))).toBeLessThan(5);
    expect(growth(8_192, (length) => redactSecrets(text(length), secrets))).toBeLessThan(5);
  });

  test('hundreds of secrets, and a message as long as there is one: the search takes as much work as for a few', () => {
    const secrets = (count: number) => Array.from({ length: count }, (_, index) => `aaaaaaaa${'b'.repeat(index % 90)}${index}`);
    const message = truncate('a'.repeat(1e6), 8_192);
    const searching = (count: number) => {
      const redacted = redactor(secrets(count));
      redacted(message);
      return workOf(() => redacted(message));
    };
    expect(growth(150, (count) => redact(message, secrets(count)))).toBeLessThan(5);
    expect(searching(600) / searching(150)).toBeLessThan(1.5);
  });

  test('more secrets than can be looked for: the text is withheld', () => {
    expect(
      redactSecrets(
        'anything',
        Array.from({ length: 3_000 }, (_, index) => `secret${index}`),
      ),
    ).toMatch(/^\*\*\* \(withheld: the spec uses 3000 secret values/);
    expect(redactSecrets('anything', ['x'.repeat(300_000)])).toMatch(/withheld/);
  });
});
