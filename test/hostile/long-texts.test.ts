import { setFlagsFromString } from 'node:v8';
import { templateAsYaml } from '../../cli/manifests/folders/templates';
import { redactTokens } from '../../engine/redact';
import { formatYaml } from '../../engine/yaml/format-yaml';
import { readYaml } from '../../engine/yaml/read-yaml';

/**
 * A pattern that repeats a group keeps a place for each repetition, and throws a RangeError when they are 64 MiB. A file of the CLI may be
 * four times as large; what a controller logs is smaller.
 */
const LENGTH = 24_000_000;
const letters = 'x'.repeat(LENGTH);

// A process with more than 16 MB of machine code translates patterns without optimizations: `x+` keeps a place for each letter there.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
afterAll(() => setFlagsFromString('--regexp-optimization'));

const only = (text: string) => {
  const [document, ...others] = readYaml(text);
  expect(others).toEqual([]);
  return document;
};

test.each([
  ['in double quotes', `a: "${letters}"`],
  ['in single quotes', `a: '${letters}'`],
  ['in base64', `a: !!binary ${Buffer.from(letters).toString('base64')}`],
])('a text %s', (_, text) => {
  const { value: read, fault } = only(text)!;
  expect(fault).toBeUndefined();
  expect((read as { a: string }).a === letters).toBe(true);
});

test('a text that is written', () => {
  expect(formatYaml({ a: letters }) === `a: ${letters}\n`).toBe(true);
  expect(formatYaml({ a: `${letters}: ` }).startsWith('a: "')).toBe(true);
  expect(formatYaml({ a: '€'.repeat(LENGTH) }).startsWith('a: "€')).toBe(true);
});

test('a line of a template', () => {
  expect(() => templateAsYaml(`a: {{ ${letters} }}`)).not.toThrow();
});

test('what looks like a token', () => {
  expect(redactTokens(`eyJa${'.'.repeat(LENGTH)} eyJa.b`)).toBe('*** ***');
});
