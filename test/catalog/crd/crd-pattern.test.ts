import fc from 'fast-check';
import { Catalog, type Kind } from '../../../src/catalog';
import { crdPattern } from '../../../src/catalog/crd-pattern';

const catalog = Catalog.default();
const kinds = catalog.allKinds;

/** Kinds that the operator installs for a pattern (wildcards `*` and `?`, ignoring case), and the parts without a match, which end it. */
function installed(pattern: string): { kinds: Kind[]; unmatched: string[] } {
  const parts = pattern.split(';').map((part) => {
    const regexp = new RegExp(`^${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.')}$`, 'i');
    return { part, matches: kinds.filter(({ group, kind }) => regexp.test(`${group}/${kind}`)) };
  });
  return {
    kinds: kinds.filter((kind) => parts.some(({ matches }) => matches.includes(kind))),
    unmatched: parts.filter(({ matches }) => matches.length === 0).map(({ part }) => part),
  };
}

test('the operator installs for a pattern the kinds that it was made of, and no others', () => {
  fc.assert(fc.property(fc.subarray(kinds, { minLength: 1 }), (chosen) => {
    const result = installed(crdPattern(chosen, catalog));
    expect(result.unmatched).toEqual([]);
    expect(result.kinds.map((kind) => kind.crdName)).toEqual(chosen.map((kind) => kind.crdName));
  }), { numRuns: 50 });
});

test('a group that is wanted as a whole is written with a star, whatever the order, and once', () => {
  const storage = catalog.kindsOf('storage');
  expect(crdPattern([...storage, ...storage].reverse(), catalog)).toBe('storage.azure.com/*');
  expect(crdPattern(storage.slice(1), catalog)).not.toContain('*');
  expect(crdPattern([], catalog)).toBe('');
  expect(crdPattern(kinds, catalog).split(';')).toHaveLength(catalog.services.length);
});
