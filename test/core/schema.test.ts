import fc from 'fast-check';
import {
  Catalog,
  isArray,
  isConstrained,
  isMap,
  isRef,
  KindVersion,
  PropertyFacts,
  TypeExpression,
  TypeFacts,
  Validations,
} from '../../src/catalog';
import { propertyNameOf } from '../../src/catalog/property-names';
import { Conversion } from '../../src/core/schema/conversion';
import { KindSchema } from '../../src/core/schema/kind-schema';
import { toRegExp } from '../../src/util/go-pattern';
import { nearest } from '../../src/util/nearest';

/** A value for the props and what has to become of it in the spec. */
interface Pair {
  readonly props: unknown;
  readonly spec: unknown;
}

const same = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Pair> => value.map((v) => ({ props: v, spec: v }));

/** Values that the facts allow. References are left out: they have tests of their own. */
function values(type: TypeExpression, rules: Validations, version: KindVersion, depth: number): fc.Arbitrary<Pair> {
  if (rules.enum) return same(fc.constantFrom(...rules.enum));
  if (type === 'string') return same(strings(rules));
  if (type === 'integer' || type === 'number') {
    const step = rules.multipleOf ?? 1;
    const [min, max] = [Math.ceil((rules.minimum ?? 0) / step), Math.floor((rules.maximum ?? 1000) / step)];
    return same(fc.integer({ min, max: Math.max(min, max) }).map((n) => n * step));
  }
  if (type === 'boolean') return same(fc.boolean());
  if (type === 'json') return same(fc.jsonValue());
  if (isConstrained(type)) return values(type.type, type, version, depth);
  if (isArray(type)) {
    const { minItems = 0 } = rules;
    return fc.array(values(type.array, {}, version, depth - 1), { minLength: minItems, maxLength: Math.max(minItems, 3) })
      .map((pairs) => ({ props: pairs.map((pair) => pair.props), spec: pairs.map((pair) => pair.spec) }));
  }
  if (isMap(type)) {
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), values(type.map, {}, version, depth - 1), { maxKeys: 3 })
      .map((map) => ({ props: mapValues(map, (pair) => pair.props), spec: mapValues(map, (pair) => pair.spec) }));
  }
  if (isRef(type)) return structs(version.type(type.ref), false, version, depth - 1);
  throw new Error('left out');
}

function strings({ pattern, minLength = 0, maxLength }: Validations): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength: maxLength ?? 20 });
  return fc.stringMatching(toRegExp(pattern)!).filter((text) => text.length >= minLength && text.length <= (maxLength ?? 1e6));
}

function mapValues<T, U>(map: Record<string, T>, f: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, f(value)]));
}

const scalarOnly = (facts: PropertyFacts) => facts.role === undefined && !JSON.stringify(facts.type).includes('"common"');

function structs(type: TypeFacts, root: boolean, version: KindVersion, depth: number): fc.Arbitrary<Pair> {
  const chosen = (facts: PropertyFacts) =>
    (depth > 0 || facts.required) && scalarOnly(facts) && facts.alternativeTo === undefined && !facts.inline;
  const entries = Object.entries(type.props).filter(([, facts]) => chosen(facts));
  const all = fc.record(Object.fromEntries(entries.map(([name, facts]) => {
    const value = values(facts.type, facts, version, depth);
    return [name, facts.required ? value : fc.option(value, { nil: undefined, freq: 1 })];
  })));
  return all.map((record) => {
    const given = Object.entries(record as Record<string, Pair | undefined>).filter(
      (entry): entry is [string, Pair] => entry[1] !== undefined,
    );
    return {
      props: Object.fromEntries(given.map(([name, pair]) => [propertyNameOf(name, root), pair.props])),
      spec: Object.fromEntries(given.map(([name, pair]) => [name, pair.spec])),
    };
  });
}

const KINDS: [group: string, kind: string][] = [
  ['storage', 'StorageAccount'],
  ['servicebus', 'NamespacesQueue'],
  ['dbforpostgresql', 'FlexibleServer'],
  ['containerservice', 'ManagedCluster'],
  ['network', 'VirtualNetwork'],
  ['resources', 'ResourceGroup'],
];

describe.each(KINDS)('%s %s', (group, kind) => {
  const facts = { group: `${group}.azure.com`, kind, version: Catalog.default().kind(`${group}.azure.com`, kind)!.latest.name };
  const schema = KindSchema.of(facts);
  const type = schema.version.specType;
  const pairs = structs(type, true, schema.version, 3);
  const references = (line: string) => !/: (is required, but missing|exactly one of)/.test(line);

  test('what the catalog allows is taken as it is', () => {
    fc.assert(fc.property(pairs, ({ props, spec }) => {
      const run = new Conversion();
      const converted = schema.spec.convert(props as object, run);
      expect(run.problems.filter(references)).toEqual([]);
      expect(withoutEmpty(converted)).toEqual(withoutEmpty(spec));
    }), { numRuns: 50 });
  });

  test('what it does not know is found, once and by name', () => {
    fc.assert(fc.property(pairs, fc.stringMatching(/^zz[a-z]{3,8}$/), ({ props }, name) => {
      const [before, after] = [new Conversion(), new Conversion()];
      schema.spec.convert(props as object, before);
      schema.spec.convert({ ...(props as object), [name]: 1 }, after);
      const found = after.problems.filter((line) => !before.problems.includes(line));
      expect(found).toEqual([expect.stringContaining(`${name}: there is no such property.`)]);
    }), { numRuns: 20 });
  });

  test('what it requires and does not get is found', () => {
    const required = Object.entries(type.props).filter(([, property]) => property.required).map(([name]) => propertyNameOf(name, true));
    const run = new Conversion();
    schema.spec.convert({}, run);
    expect(run.problems).toEqual(required.map((name) => `${name}: is required, but missing.`));
  });
});

function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('every kind of the catalog', () => {
  test('compiles, in every version', () => {
    for (const kind of Catalog.default().allKinds) {
      for (const version of kind.versionNames) {
        const schema = KindSchema.of({ group: kind.group, kind: kind.kind, version });
        expect(() => schema.spec.convert({}, new Conversion())).not.toThrow();
      }
    }
  });

  test('has patterns that JavaScript understands', () => {
    for (const kind of Catalog.default().allKinds) {
      for (const [, facts] of Object.entries(kind.latest.specType.props)) {
        if (facts.pattern) expect(toRegExp(facts.pattern)).toBeInstanceOf(RegExp);
      }
    }
  });
});

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['(?i)^abc$', 'ABC', true],
    ['^abc$', 'ABC', false],
    ['^[[:alpha:]_]+$', 'ab_', true],
    ['^[[:alpha:]_]+$', 'a1', false],
    ['\\Aab\\z', 'abc', false],
    ['\\Aab\\z', 'ab', true],
    ['^\\pL+$', 'Zürich', true],
    ['^(?P<year>[0-9]{4})$', '2024', true],
    ['(?s)^a.b$', 'a\nb', true],
  ])('%s on %j: %s', (pattern, text, fits) => {
    expect(toRegExp(pattern)!.test(text)).toBe(fits);
  });

  test('that JavaScript does not have are left to the API server', () => {
    expect(toRegExp('(?U)a+')).toBeUndefined();
  });
});

describe('suggestions', () => {
  test.each([
    ['locaton', 'location'], ['Location', 'location'], ['naem', 'name'], ['azurename', 'azureName'], ['wombat', undefined], ['', undefined],
  ])('%s → %s', (word, expected) => {
    expect(nearest(word, ['location', 'name', 'azureName', 'owner'])).toBe(expected);
  });

  test('a number is another number, and not misspelt', () => {
    expect(['16', '1.2', 'v16'].map((word) => nearest(word, ['11', '1.1', 'v15']))).toEqual([undefined, undefined, 'v15']);
  });
});
