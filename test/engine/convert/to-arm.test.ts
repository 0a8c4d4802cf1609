import { kindOfFacts } from './kind-of-facts';
import { ConversionError, toArm, type ValueSource } from '../../../engine/convert';
import type { PropertyFacts, TypeFacts } from '../../../src/catalog';

const values: ValueSource = {
  reference: ({ armId, name }) => armId ?? `/id/of/${name}`,
  secret: (name, key) => `secret ${name} ${key}`,
  secretMap: (name) => ({ a: `${name} a`, b: `${name} b` }),
  configMap: (name, key) => `config ${name} ${key}`,
};

const convert = (props: Record<string, PropertyFacts>, spec: Record<string, unknown>, others: Record<string, TypeFacts> = {}) =>
  toArm(kindOfFacts({ Spec: { props }, ...others }, { nameInBody: false }), spec, 'x', values);

const reference = { common: 'ResourceReference' };

describe('paths', () => {
  test('a property goes to its own name, to its arm path, or nowhere', () => {
    const props: Record<string, PropertyFacts> = {
      plain: { type: 'string' },
      deep: { type: 'string', arm: 'properties/inner/deepest' },
      dotted: { type: 'string', arm: 'properties/odata.type' },
      hidden: { type: 'string', arm: null },
    };
    expect(convert(props, { plain: 'a', deep: 'b', dotted: 'c', hidden: 'd' })).toEqual({
      plain: 'a',
      properties: { 'inner': { deepest: 'b' }, 'odata.type': 'c' },
    });
  });

  test('a property below another one does not replace it, whichever comes first', () => {
    const inner: TypeFacts = { props: { a: { type: 'string' } } };
    const below: PropertyFacts = { type: 'string', arm: 'properties/b' };
    const around: PropertyFacts = { type: { ref: 'Inner' }, arm: 'properties' };
    const spec = { around: { a: '1' }, below: '2' };
    expect(convert({ around, below }, spec, { Inner: inner })).toEqual({ properties: { a: '1', b: '2' } });
    expect(convert({ below, around }, spec, { Inner: inner })).toEqual({ properties: { a: '1', b: '2' } });
  });
});

describe('the name', () => {
  const version = (facts = {}, spec: TypeFacts = { props: {} }) =>
    kindOfFacts({ Spec: spec, Alternative: { props: { kind: { type: 'string' } } } }, facts);

  test('is added unless the kind has none in its body', () => {
    expect(toArm(version(), {}, 'x', values)).toEqual({ name: 'x' });
    expect(toArm(version({ nameInBody: false }), {}, 'x', values)).toEqual({});
    expect(toArm(version(), {}, undefined, values)).toEqual({});
  });

  test('is added to the alternative of a root union', () => {
    const union: TypeFacts = {
      oneOf: true,
      discriminator: 'kind',
      order: ['one'],
      props: { one: { type: { ref: 'Alternative' }, inline: true, when: 'One' } },
    };
    expect(toArm(version({}, union), { one: { kind: 'One' } }, 'x', values)).toEqual({ kind: 'One', name: 'x' });
  });
});

describe('empty values', () => {
  const list = (emit?: 'null' | 'empty', arm?: string): PropertyFacts => ({ type: { array: 'string' }, ...(emit === undefined ? {} : { emit }), ...(arm === undefined ? {} : { arm }) });
  const map = (emit?: 'null' | 'empty', arm?: string): PropertyFacts => ({ type: { map: 'string' }, ...(emit === undefined ? {} : { emit }), ...(arm === undefined ? {} : { arm }) });

  test('scalars and objects are sent whenever they are present, null never', () => {
    const props: Record<string, PropertyFacts> = {
      a: { type: 'boolean' },
      b: { type: 'integer' },
      c: { type: 'string' },
      d: { type: { ref: 'Inner' } },
      e: { type: 'string' },
    };
    expect(convert(props, { a: false, b: 0, c: '', d: {}, e: null }, { Inner: { props: {} } })).toEqual({ a: false, b: 0, c: '', d: {} });
  });

  test('empty collections are left out, but what encloses them is there', () => {
    expect(convert({ a: list(undefined, 'properties/a') }, { a: [] })).toEqual({ properties: {} });
    expect(convert({ a: map() }, { a: {} })).toEqual({});
  });

  test('emit null: absent or empty array and absent map are null, an empty map is {}', () => {
    const props = { a: list('null'), b: list('null'), c: map('null'), d: map('null') };
    expect(convert(props, { a: [], d: {} })).toEqual({ a: null, b: null, c: null, d: {} });
  });

  test('emit empty: absent or empty is [] or {}', () => {
    const props = { a: list('empty'), b: list('empty'), c: map('empty'), d: map('empty') };
    expect(convert(props, { a: [], d: {} })).toEqual({ a: [], b: [], c: {}, d: {} });
  });

  test('emitted only if the enclosing object is sent', () => {
    const props = { a: list('null', 'properties/a'), b: { type: 'string', arm: 'properties/b' } as PropertyFacts };
    expect(convert(props, {})).toEqual({});
    expect(convert(props, { b: 'x' })).toEqual({ properties: { a: null, b: 'x' } });
  });
});

describe('roles', () => {
  test('references, secrets, config maps', () => {
    const props: Record<string, PropertyFacts> = {
      one: { type: reference, role: 'armReference', arm: 'properties/one/id' },
      many: { type: { array: reference }, role: 'armReference' },
      known: { type: { common: 'WellKnownResourceReference' }, role: 'wellKnownReference' },
      alsoKnown: { type: { common: 'WellKnownResourceReference' }, role: 'wellKnownReference' },
      password: { type: { common: 'SecretReference' }, role: 'secret' },
      settings: { type: { common: 'SecretMapReference' }, role: 'secretMap' },
      imported: { type: { common: 'ConfigMapReference' }, role: 'configMap' },
    };
    const spec = {
      one: { group: 'g', kind: 'k', name: 'n' },
      many: [{ armId: '/a' }, { armId: '/b' }],
      known: { wellKnownName: 'Reader' },
      alsoKnown: { armId: '/role' },
      password: { name: 's', key: 'k' },
      settings: { name: 's' },
      imported: { name: 'c', key: 'k' },
    };
    expect(convert(props, spec)).toEqual({
      properties: { one: { id: '/id/of/n' } },
      many: ['/a', '/b'],
      known: 'Reader',
      alsoKnown: '/role',
      password: 'secret s k',
      settings: { a: 's a', b: 's b' },
      imported: 'config c k',
    });
  });

  test('identities become keys', () => {
    const props: Record<string, PropertyFacts> = {
      ids: { type: { array: { ref: 'Details' } }, role: 'userAssignedIdentities', mapKeyFromReference: 'reference' },
    };
    const details = { Details: { props: { reference: { type: reference, role: 'armReference' } as PropertyFacts } } };
    expect(convert(props, { ids: [{ reference: { armId: '/a' } }, { reference: { name: 'b', group: 'g', kind: 'k' } }] }, details)).toEqual(
      { ids: { '/a': {}, '/id/of/b': {} } },
    );
    expect(convert(props, { ids: [] }, details)).toEqual({});
  });

  test('a reference wins over the value that it stands for, wherever it stands', () => {
    const from: PropertyFacts = { type: { common: 'ConfigMapReference' }, role: 'configMap', arm: 'properties/id', alternativeTo: 'id' };
    const plain: PropertyFacts = { type: 'string', arm: 'properties/id' };
    const spec = { id: 'plain', idFromConfig: { name: 'c', key: 'k' } };
    expect(convert({ idFromConfig: from, id: plain }, spec)).toEqual({ properties: { id: 'config c k' } });
    expect(convert({ id: plain, idFromConfig: from }, spec)).toEqual({ properties: { id: 'config c k' } });
    expect(convert({ id: plain, idFromConfig: from }, { id: 'plain' })).toEqual({ properties: { id: 'plain' } });
  });
});

test('of several alternatives the first in the order is taken', () => {
  const union: TypeFacts = {
    oneOf: true,
    discriminator: 'type',
    order: ['second', 'first'],
    props: { first: { type: { ref: 'A' }, inline: true, when: 'A' }, second: { type: { ref: 'B' }, inline: true, when: 'B' } },
  };
  const types = {
    Union: union,
    A: { props: { type: { type: 'string' }, a: { type: 'string' } } } as TypeFacts,
    B: { props: { type: { type: 'string' } } } as TypeFacts,
  };
  const props: Record<string, PropertyFacts> = { rule: { type: { ref: 'Union' } } };
  expect(convert(props, { rule: { first: { type: 'A', a: '1' }, second: { type: 'B' } } }, types)).toEqual({ rule: { type: 'B' } });
  expect(convert(props, { rule: { first: { type: 'A', a: '1' } } }, types)).toEqual({ rule: { type: 'A', a: '1' } });
});

describe('what is not of its type', () => {
  const props: Record<string, PropertyFacts> = {
    text: { type: 'string' },
    number: { type: 'integer' },
    list: { type: { array: { ref: 'Inner' } } },
    map: { type: { map: 'string' } },
    self: { type: { ref: 'Spec' } },
    anything: { type: 'json' },
    secret: { type: { common: 'SecretReference' }, role: 'secret' },
    known: { type: { common: 'WellKnownResourceReference' }, role: 'wellKnownReference' },
  };
  const inner = { Inner: { props: { flag: { type: 'boolean' } as PropertyFacts } } };
  const refused = (spec: unknown) => {
    try {
      convert(props, spec as Record<string, unknown>, inner);
    } catch (error) {
      expect(error).toBeInstanceOf(ConversionError);
      return (error as Error).message;
    }
    throw new Error('was converted');
  };

  test('is refused with its place', () => {
    expect(refused({ text: 5 })).toBe('spec.text: expected a text, got a number');
    expect(refused({ number: 1.5 })).toBe('spec.number: expected an integer, got a number');
    expect(refused({ list: {} })).toBe('spec.list: expected an array, got an object');
    expect(refused({ list: [{}, { flag: 'yes' }] })).toBe('spec.list[1].flag: expected true or false, got a text');
    expect(refused({ list: [null] })).toBe('spec.list[0]: expected an object, got null');
    expect(refused({ map: { a: 1 } })).toBe('spec.map.a: expected a text, got a number');
    expect(refused([])).toBe('spec: expected an object, got an array');
    expect(refused({ secret: { name: 's' } })).toBe('spec.secret.key: is missing');
    expect(refused({ known: { wellKnownName: 'Reader', armId: '/x' } })).toBe(
      'spec.known: gives wellKnownName together with another form of reference',
    );
  });

  test('never shows a value', () => {
    expect(refused({ number: 'hunter2' })).not.toContain('hunter2');
    expect(refused({ secret: { name: 's', key: ['hunter2'] } })).not.toContain('hunter2');
  });

  test('nests deeper than any spec', () => {
    let spec: Record<string, unknown> = {};
    for (let i = 0; i < 100_000; i += 1) spec = { self: spec };
    expect(refused(spec)).toMatch(/nests deeper than/);
    let list: unknown = [];
    for (let i = 0; i < 100_000; i += 1) list = [list];
    expect(refused({ anything: list })).toBe('spec.anything: nests deeper than 64 levels');
  });

  test('keys that mean something to JavaScript are keys like others', () => {
    const spec = JSON.parse('{"map": {"__proto__": "a", "constructor": "b"}, "__proto__": {"text": "inherited"}}') as Record<
      string,
      unknown
    >;
    const body = convert(props, spec);
    expect(JSON.stringify(body)).toBe('{"map":{"__proto__":"a","constructor":"b"}}');
    expect(({} as Record<string, unknown>).text).toBeUndefined();
  });
});

test('a kind that is not in ARM has no body', () => {
  expect(() => toArm(kindOfFacts({ Spec: { props: {} } }, { arm: undefined as never }), {}, 'x', values)).toThrow(ConversionError);
});
