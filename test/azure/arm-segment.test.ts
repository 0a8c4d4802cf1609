import { armIdProblem } from '../../src/azure/arm-id';
import {
  armNameProblem,
  encodedSegment,
  quotedText,
  resourceGroupProblem,
  segmentProblem,
  subscriptionProblem,
} from '../../src/azure/arm-segment';

describe('a segment of an ARM id', () => {
  test.each([
    'a',
    'Default',
    '@',
    '*',
    '$web',
    '$root',
    'echo-api;rev=1',
    'a b',
    'a.b',
    '...',
    'a..b',
    'ä-ö',
    '日本',
    'pgaudit.log',
    '8816a93c-dff7-45d0-8b64-4a2db756069b',
    'name=value',
    'a,b',
    'a+b',
    'a&b',
    'a:b',
    "it's",
    'a(b)',
    'key$label',
    'a~2Fb',
    '#'.replace('#', '!'),
    'x'.repeat(260),
  ])('may be %j', (name) => expect(segmentProblem(name)).toBeUndefined());

  test.each([
    '',
    '.',
    '..',
    'a/b',
    '/',
    'a\\b',
    'a?b',
    'a#b',
    '%2e%2e',
    '%2E.',
    '%2f',
    '%252e',
    '100%',
    'a\u0000b',
    'a\nb',
    'a\u007fb',
    'a\u0085b',
    'a\u200bb',
    '\u202eabc',
    '\u2066a',
    'a\u2028b',
    '\ufeffa',
    '\ud800',
    ' a',
    'a ',
    '\u00a0a',
    '\u3000a',
    'x'.repeat(513),
  ])('may not be %j', (name) => expect(segmentProblem(name)).toBeDefined());

  test('is encoded so that RFC 3986 needs, and no further', () => {
    expect(['@', '*', '$web', 'a;rev=1', 'a b', 'ä', "it's", '<a>'].map(encodedSegment)).toEqual([
      '@',
      '*',
      '$web',
      'a;rev=1',
      'a%20b',
      '%C3%A4',
      "it's",
      '%3Ca%3E',
    ]);
  });
});

test.each(['rg', 'MC_rg_cluster_westeurope', '(a)', 'a.b', '-', 'ä', 'x'.repeat(90)])('%j is a name of a resource group', (name) =>
  expect(resourceGroupProblem(name)).toBeUndefined(),
);
test.each(['rg.', 'a b', 'a*', 'a@b', 'a;b', 'x'.repeat(91), ''])('%j is no name of a resource group', (name) => {
  expect(resourceGroupProblem(name)).toBeDefined();
  expect(armNameProblem(name, 'location')).toBeDefined();
});
test.each(['sub', '', '11111111-1111-1111-1111-11111111111', '../x'])('%j is no subscription', (id) =>
  expect(subscriptionProblem(id)).toBeDefined(),
);

test.each([
  '/subscriptions/s/resourceGroups/rg/providers/M.X/t/%2e%2e',
  '/subscriptions/s/resourceGroups/..',
  '/subscriptions/s/resourceGroups/rg.',
  '/subscriptions/s?x=y',
  'x',
])('%s is no id to send a request to', (id) => expect(armIdProblem(id)).toBeDefined());

test('what a message quotes is cut, and shows what is not seen', () => {
  expect(quotedText('a\u202eb\u0000')).toBe('"a\\u{202e}b\\u0000"');
  expect(quotedText('x'.repeat(1_000_000)).length).toBeLessThan(100);
});
