import fc from 'fast-check';
import { kindOfFacts } from './kind-of-facts';
import { fromArm } from '../../../engine/convert';
import { Catalog, type TypeFacts } from '../../../src/catalog';

const types: Record<string, TypeFacts> = {
  Status: {
    props: {
      conditions: { type: { array: { common: 'Condition' } }, role: 'conditions' },
      id: { type: 'string' },
      state: { type: 'string', arm: 'properties/provisioningState' },
      count: { type: 'integer', arm: 'properties/count' },
      names: { type: { array: 'string' }, arm: 'properties/names' },
      tags: { type: { map: 'string' } },
      rules: { type: { array: { ref: 'Rule' } }, arm: 'properties/rules' },
      internal: { type: 'string', arm: null },
    },
  },
  Rule: {
    oneOf: true,
    discriminator: '@odata.type',
    order: ['one', 'two'],
    props: { one: { type: { ref: 'One' }, inline: true, when: 'One' }, two: { type: { ref: 'Two' }, inline: true, when: 'Two' } },
  },
  One: { props: { a: { type: 'string' } } },
  Two: { props: { b: { type: 'string' } } },
};
const read = (arm: unknown) => fromArm(kindOfFacts({ Spec: { props: {} } }, {}, types), arm);

test('reads what the status names and drops the rest', () => {
  expect(
    read({
      id: '/x',
      etag: 'e',
      internal: 'i',
      conditions: [{}],
      tags: { a: 'b' },
      properties: { provisioningState: 'Succeeded', count: 3, names: ['n'], other: 1 },
    }),
  ).toEqual({
    id: '/x',
    state: 'Succeeded',
    count: 3,
    names: ['n'],
    tags: { a: 'b' },
  });
});

test('absent, null and empty values leave the property out', () => {
  expect(read({ id: null, tags: {}, properties: { names: [] } })).toEqual({});
  expect(read({})).toEqual({});
});

test('the discriminator tells the alternative', () => {
  expect(read({ properties: { rules: [{ '@odata.type': 'Two', 'a': 'no', 'b': 'yes' }, { '@odata.type': 'One', 'a': 'x' }] } })).toEqual({
    rules: [{ two: { b: 'yes' } }, { one: { a: 'x' } }],
  });
});

test('names are found in another case', () => {
  expect(read({ ID: '/x', Properties: { ProvisioningState: 'Succeeded' } })).toEqual({ id: '/x', state: 'Succeeded' });
});

test('what is not of its type is left out', () => {
  expect(read({ id: 5, tags: ['a'], properties: { count: 'many', names: 'n', provisioningState: {} } })).toEqual({});
  for (const arm of [undefined, null, 'text', 5, []]) expect(read(arm)).toEqual({});
});

test('keys that mean something to JavaScript do nothing', () => {
  const status = read(JSON.parse('{"tags": {"__proto__": "a"}, "__proto__": {"id": "inherited"}}'));
  expect(JSON.stringify(status)).toBe('{"tags":{"__proto__":"a"}}');
});

test('any answer to any kind gives a status', () => {
  const kinds = Catalog.default()
    .services.filter((service) => ['storage', 'cdn', 'kusto', 'insights', 'managedidentity'].includes(service))
    .flatMap((service) => Catalog.default().kindsOf(service));
  const version = fc.constantFrom(...kinds.flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!)));
  const key = fc.constantFrom(
    'id',
    'name',
    'properties',
    'tags',
    'type',
    'kind',
    'provisioningState',
    '__proto__',
    'rules',
    'sku',
    'identity',
  );
  const { answer } = fc.letrec((tie) => ({
    answer: fc.oneof(
      { maxDepth: 6 },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('answer'), { maxLength: 4 }),
      fc.dictionary(key, tie('answer'), { maxKeys: 6 }),
    ),
  }));
  fc.assert(fc.property(version, answer, (v, arm) => {
    const status = fromArm(v, arm);
    expect(Object.keys(status).every((name) => Object.hasOwn(v.statusType.props, name))).toBe(true);
  }), { numRuns: 500 });
});
