import fc from 'fast-check';
import { ENDPOINT, ID } from './fixtures';
import { armUrl } from '../../../engine/arm/arm-url';
import { segmentProblem } from '../../../src/azure/arm-segment';

/** Resources that a request for a name would address: an independent reading of URLs, as servers do it, some of which decode twice. */
function resourcesOf(url: string): string[] {
  const path = new URL(url).pathname;
  const once = path.split('/').map((segment) => decodeURIComponent(segment));
  return [once.join('|'), path];
}

const BASE = ID.slice(0, ID.lastIndexOf('/'));
const hostile = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '%2E%2E',
    '.%2e',
    '%252e%252e',
    '../x',
    '..\\x',
    '..%2fx',
    'a/../..',
    'a?',
    'a?x=/../',
    'a#',
    '//evil.example',
    '/\\evil',
    '\t..',
    '.\n.',
    '..;',
    '..;/',
    '\u2025',
    '．．',
    '',
  ),
  fc
    .array(
      fc.constantFrom(
        '.',
        '/',
        '\\',
        '%',
        '2',
        'e',
        'E',
        'f',
        '?',
        '#',
        ';',
        '\t',
        '\n',
        '\r',
        ' ',
        '@',
        ':',
        '\u0000',
        '\u200b',
        '\u202e',
        'ä',
        '\ud800',
        'a',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

test('whatever a name is, its request is for that name below its parent, or there is none', () => {
  let sent = 0;
  fc.assert(fc.property(hostile, fc.constantFrom('', '/listKeys', '/blobServices/default'), (name, below) => {
    let url: string;
    try {
      url = armUrl(ENDPOINT, `${BASE}/${name}${below}`, '2025-06-01');
    } catch (error) {
      expect((error as Error).name).toMatch(/UnsafePathError|ForeignUrlError/);
      return;
    }
    sent += 1;
    const { origin, search } = new URL(url);
    // A name cannot begin a query that takes the rest of the path away.
    const path = name.includes('?') ? `${BASE}/${name.slice(0, name.indexOf('?'))}` : `${BASE}/${name}${below}`;
    expect(resourcesOf(url)[0]).toBe(path.split('/').join('|'));
    expect([origin, segmentProblem(path.split('/').at(-1)!)]).toEqual([ENDPOINT, undefined]);
    expect(search).toContain('api-version=');
  }), { numRuns: 5_000 });
  expect(sent).toBeGreaterThan(0);
});

test.each(['..', '.', '%2e%2e', '%2E%2e', 'a%2f..', 'a\\..', 'a?b=/x', 'a#b', '', 'a\tb'])(
  'the name %j is refused, whatever comes after it',
  (name) => {
    for (const below of ['', '/listKeys', '/a/b']) {
      if (name === '' && below === '') continue;
      expect(() => armUrl(ENDPOINT, `${BASE}/${name}${below}`, '1')).toThrow(/refused to send a request/);
    }
  },
);

describe('a URL of an answer', () => {
  const fromAnswer = { isFromAnswer: true, method: 'GET' };
  test.each([
    ['https://management.azure.com/subscriptions/s/providers/P/locations/West%20US%202/operationsStatus/x?t=1&c=%2F', undefined],
    ['https://management.azure.com/subscriptions/s/operationresults/eyJ0%3D%3D', undefined],
    ['/subscriptions/s/locations/West%20US/operations/x%2Fy', undefined],
    ['https://management.azure.com/subscriptions/s/operations/MQ==', undefined],
    ['https://management.azure.com', undefined],
    ['https://management.azure.com/subscriptions/s/../x', 'UnsafePathError'],
    ['https://management.azure.com/subscriptions/s/%2e%2e/x', 'UnsafePathError'],
    ['https://management.azure.com/subscriptions/s\\..\\x', 'UnsafePathError'],
    ['/subscriptions/s/%2e%2e/x', 'UnsafePathError'],
    ['/subscriptions/s/%zz', 'UnsafePathError'],
    ['//evil.example/x', 'ForeignUrlError'],
    ['https://evil.example/x', 'ForeignUrlError'],
    ['http://management.azure.com/x', 'ForeignUrlError'],
  ])('%s: %s', (url, refusal) => {
    let name: string | undefined;
    try {
      armUrl(ENDPOINT, url, undefined, fromAnswer);
    } catch (error) {
      name = (error as Error).name;
    }
    expect(name).toBe(refusal);
  });

  test('is read, never written to', () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      expect(() => armUrl(ENDPOINT, 'https://management.azure.com/subscriptions/s', '1', { method })).toThrow('those are only read');
      expect(() => armUrl(ENDPOINT, '/subscriptions/s', '1', { method, isFromAnswer: true })).toThrow('those are only read');
    }
  });
});
