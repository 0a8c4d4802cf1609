import * as fc from 'fast-check';
import { NAME_FACTS } from '../../src/azure/names/name-facts';
import { patternFor } from '../../src/util/character-classes';
import { patternsInSource } from '../fuzz/patterns-in-source';

/** Patterns with a class of Unicode of the files that have them as texts. */
const PATTERNS = patternsInSource()
  .filter(({ places }) => places.some((place) => /arm-segment|name-rules/.test(place)))
  .map(({ text }) => [text.slice(1, text.lastIndexOf('/')).replaceAll('\\/', '/'), text.slice(text.lastIndexOf('/') + 1)] as const)
  .filter(([source]) => source.includes('\\p{'));

test('the source has such patterns', () => {
  expect(PATTERNS.length).toBeGreaterThan(4);
  expect(Object.values(NAME_FACTS).filter(({ pattern }) => pattern?.includes('\\p{')).length).toBeGreaterThan(1);
});

test.each(PATTERNS)('%s/%s means the same as the engine\'s, for ASCII and for others', (source, flags) => {
  const whole = new RegExp(source, flags.replace('g', ''));
  const near = fc.string({ unit: fc.constantFrom(...'aZ09-_.() \t\u0000\u007f\u0080äŁ٣\u0301\u200b\u2028\ud800😀') });
  fc.assert(fc.property(fc.oneof(near, fc.string(), fc.string({ unit: 'binary' })), (text) => {
    expect(patternFor(text, source, flags.replace('g', '')).test(text)).toBe(whole.test(text));
  }), { numRuns: 300 });
});

test('a pattern is compiled once for each kind of text', () => {
  const ascii = patternFor('shop', '^[\\p{L}]+$', 'u');
  expect(patternFor('web', '^[\\p{L}]+$', 'u')).toBe(ascii);
  expect(patternFor('straße', '^[\\p{L}]+$', 'u')).not.toBe(ascii);
  expect(patternFor('shop', '^[\\p{L}]+$', 'ui')).not.toBe(ascii);
});
