import fc from 'fast-check';
import { prune, withDefaults } from '../../../sandbox/kubernetes/schema/fields';
import { updateErrors } from '../../../sandbox/kubernetes/schema/ratcheting';
import { validate } from '../../../sandbox/kubernetes/schema/validate';
import type { JsonSchema } from '../../../src/catalog/crd-types';

const spec = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, required } },
});
const texts = (schema: JsonSchema, value: unknown) => validate(schema, value).map((error) => error.text);

describe('what is refused, in the words of Kubernetes', () => {
  test.each<[string, JsonSchema, unknown, string[]]>([
    ['required', spec({ location: { type: 'string' } }, ['location']), {}, ['spec.location: Required value']],
    [
      'enum',
      spec({ kind: { type: 'string', enum: ['A', 'B'] } }),
      { kind: 'x' },
      ['spec.kind: Unsupported value: "x": supported values: "A", "B"'],
    ],
    [
      'enum of numbers',
      spec({ n: { type: 'integer', enum: [12, 24] } }),
      { n: 5 },
      ['spec.n: Unsupported value: 5: supported values: "12", "24"'],
    ],
    [
      'pattern',
      spec({ foo: { type: 'string', pattern: '^[a-z]+$' } }),
      { foo: 'A' },
      ['spec.foo: Invalid value: "A": spec.foo in body should match \'^[a-z]+$\''],
    ],
    ['pattern without case', spec({ foo: { type: 'string', pattern: '(?i)^a$' } }), { foo: 'A' }, []],
    [
      'minLength',
      spec({ foo: { type: 'string', minLength: 3 } }),
      { foo: 'ab' },
      ['spec.foo: Invalid value: "ab": spec.foo in body should be at least 3 chars long'],
    ],
    ['maxLength', spec({ foo: { type: 'string', maxLength: 1 } }), { foo: 'ab' }, ['spec.foo: Too long: may not be more than 1 bytes']],
    ['length in characters, not units', spec({ foo: { type: 'string', maxLength: 1 } }), { foo: '😀' }, []],
    [
      'minimum',
      spec({ n: { type: 'integer', minimum: 2 } }),
      { n: 1 },
      ['spec.n: Invalid value: 1: spec.n in body should be greater than or equal to 2'],
    ],
    [
      'maximum',
      spec({ n: { type: 'integer', maximum: 2 } }),
      { n: 3 },
      ['spec.n: Invalid value: 3: spec.n in body should be less than or equal to 2'],
    ],
    [
      'exclusive minimum',
      spec({ n: { type: 'integer', minimum: 2, exclusiveMinimum: true } }),
      { n: 2 },
      ['spec.n: Invalid value: 2: spec.n in body should be greater than 2'],
    ],
    [
      'exclusive maximum',
      spec({ n: { type: 'integer', maximum: 2, exclusiveMaximum: true } }),
      { n: 2 },
      ['spec.n: Invalid value: 2: spec.n in body should be less than 2'],
    ],
    [
      'multipleOf',
      spec({ n: { type: 'integer', multipleOf: 5 } }),
      { n: 7 },
      ['spec.n: Invalid value: 7: spec.n in body should be a multiple of 5'],
    ],
    ['multipleOf of a fraction', spec({ n: { type: 'number', multipleOf: 0.1 } }), { n: 0.3 }, []],
    [
      'type',
      spec({ n: { type: 'integer' } }),
      { n: 'x' },
      ['spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"'],
    ],
    [
      'a fraction for an integer',
      spec({ n: { type: 'integer' } }),
      { n: 1.5 },
      ['spec.n: Invalid value: "number": spec.n in body must be of type integer: "number"'],
    ],
    ['an integer for a number', spec({ n: { type: 'number' } }), { n: 1 }, []],
    [
      'null',
      spec({ s: { type: 'string' } }),
      { s: null },
      ['spec.s: Invalid value: "null": spec.s in body must be of type string: "null"'],
    ],
    ['null where it is allowed', spec({ s: { type: 'string', nullable: true } }), { s: null }, []],
    [
      'a list for an object',
      spec({ o: { type: 'object' } }),
      { o: [] },
      ['spec.o: Invalid value: "array": spec.o in body must be of type object: "array"'],
    ],
    [
      'minItems',
      spec({ l: { type: 'array', minItems: 1, items: { type: 'string' } } }),
      { l: [] },
      ['spec.l: Invalid value: 0: spec.l in body should have at least 1 items'],
    ],
    [
      'maxItems',
      spec({ l: { type: 'array', maxItems: 1, items: { type: 'string' } } }),
      { l: ['a', 'b'] },
      ['spec.l: Too many: 2: must have at most 1 item'],
    ],
    [
      'items',
      spec({ l: { type: 'array', items: { type: 'object', required: ['a'] } } }),
      { l: [{ a: 1 }, {}] },
      ['spec.l[1].a: Required value'],
    ],
    [
      'values of a map',
      spec({ m: { type: 'object', additionalProperties: { type: 'string' } } }),
      { m: { k: 1 } },
      ['spec.m.k: Invalid value: "integer": spec.m.k in body must be of type string: "integer"'],
    ],
    [
      'minProperties',
      spec({ m: { type: 'object', minProperties: 1 } }),
      { m: {} },
      ['spec.m: Invalid value: 0: spec.m in body should have at least 1 properties'],
    ],
    [
      'maxProperties',
      spec({ m: { type: 'object', maxProperties: 1 } }),
      { m: { a: 1, b: 2 } },
      ['spec.m: Too many: 2: must have at most 1 item'],
    ],
    [
      'format',
      spec({ t: { type: 'string', format: 'date-time' } }),
      { t: 'now' },
      ['spec.t: Invalid value: "now": spec.t in body must be of type date-time: "now"'],
    ],
    ['an unknown format', spec({ t: { type: 'string', format: 'whatever' } }), { t: 'now' }, []],
    [
      'int or string',
      spec({ p: { 'x-kubernetes-int-or-string': true } }),
      { p: true },
      ['spec.p: Invalid value: "boolean": spec.p in body must be of type integer,string: "boolean"'],
    ],
    [
      'a set',
      spec({ l: { 'type': 'array', 'x-kubernetes-list-type': 'set', 'items': { type: 'string' } } }),
      { l: ['a', 'a'] },
      ['spec.l[1]: Duplicate value: "a"'],
    ],
    [
      'a list that is a map',
      spec({ l: { 'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], 'items': { type: 'object' } } }),
      { l: [{ k: 1, a: 1 }, { k: 1 }] },
      ['spec.l[1]: Duplicate value: {"k":1}'],
    ],
    [
      'uniqueItems',
      spec({ l: { type: 'array', uniqueItems: true, items: { type: 'string' } } }),
      { l: ['a', 'a'] },
      ['spec.l: Invalid value: ["a","a"]: spec.l in body shouldn\'t contain duplicates'],
    ],
    [
      'anyOf',
      spec({ a: { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] } }),
      { a: 3 },
      ['spec.a: Invalid value: 3: spec.a in body must validate at least one schema (anyOf)'],
    ],
    [
      'oneOf',
      spec({ a: { type: 'integer', oneOf: [{ minimum: 1 }, { minimum: 2 }] } }),
      { a: 3 },
      ['spec.a: Invalid value: 3: spec.a in body must validate one and only one schema (oneOf). Found 2 valid'],
    ],
    [
      'allOf',
      spec({ a: { type: 'integer', allOf: [{ maximum: 2 }] } }),
      { a: 3 },
      ['spec.a: Invalid value: 3: spec.a in body should be less than or equal to 2'],
    ],
    [
      'not',
      spec({ a: { type: 'integer', not: { minimum: 2 } } }),
      { a: 3 },
      ['spec.a: Invalid value: 3: spec.a in body must not validate the schema (not)'],
    ],
  ])('%s', (_, schema, value, expected) => expect(texts(schema, { spec: value })).toEqual(expected));

  test('a value of a wrong type breaks other rules as well', () => {
    expect(texts(spec({ a: { type: 'string', enum: ['x'] } }), { spec: { a: 7 } })).toEqual([
      'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"',
      'spec.a: Unsupported value: 7: supported values: "x"',
    ]);
  });

  test('everything that is wrong is reported at once, of a text the first thing', () => {
    const schema = spec({ a: { type: 'string' }, b: { type: 'string', minLength: 3, pattern: '^x' } }, ['a']);
    expect(texts(schema, { spec: { b: 'q' } })).toEqual([
      'spec.a: Required value',
      'spec.b: Invalid value: "q": spec.b in body should be at least 3 chars long',
    ]);
  });
});

describe('unknown fields', () => {
  const schema = spec({
    known: { type: 'string' },
    list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    open: { 'type': 'object', 'properties': { typed: { type: 'object' } }, 'x-kubernetes-preserve-unknown-fields': true },
  });

  test('are taken out and told', () => {
    const { value, unknown } = prune(schema, {
      apiVersion: 'a',
      kind: 'k',
      metadata: { name: 'n', nope: 1 },
      spec: {
        known: 'x',
        other: 1,
        list: [{ a: '1', b: 2 }],
        map: { k: { a: '1', c: 3 } },
        any: { what: { ever: [1] } },
        open: { free: 1, typed: { gone: 1 } },
      },
      more: 1,
    });
    expect(value).toEqual({
      apiVersion: 'a',
      kind: 'k',
      metadata: { name: 'n' },
      spec: { known: 'x', list: [{ a: '1' }], map: { k: { a: '1' } }, any: { what: { ever: [1] } }, open: { free: 1, typed: {} } },
    });
    expect(new Set(unknown)).toEqual(
      new Set(['metadata.nope', 'spec.other', 'spec.list[0].b', 'spec.map.k.c', 'spec.open.typed.gone', 'more']),
    );
  });

  test('names of Object.prototype are no fields', () => {
    expect(prune(schema, { spec: { constructor: 1, toString: 2 } }).unknown).toEqual(['spec.constructor', 'spec.toString']);
  });

  test('pruning twice is pruning once, and leaves nothing unknown', () => {
    fc.assert(fc.property(fc.dictionary(fc.constantFrom('known', 'list', 'map', 'x'), fc.jsonValue()), (value) => {
      const once = prune(schema, { spec: value }).value;
      const twice = prune(schema, once);
      expect(twice.unknown).toEqual([]);
      expect(twice.value).toEqual(once);
    }));
  });
});

describe('an update that does not change what a later schema refuses', () => {
  const schema: JsonSchema = spec({ size: { type: 'integer' }, tags: { type: 'array', items: { type: 'integer' } }, owner: { type: 'string' } }, ['owner']);
  const stored = { spec: { size: 'big', tags: ['x', 1] }, status: { x: 1 } };
  test.each<[string, object, string[]]>([
    ['the status only', { ...stored, status: { x: 2 } }, []],
    ['the refused value itself', { spec: { ...stored.spec, size: 'small' } }, [
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"', 'spec.owner: Required value',
    ]],
    ['a list with a refused element', { spec: { ...stored.spec, tags: ['x', 2] } }, [
      'spec.tags[0]: Invalid value: "string": spec.tags[0] in body must be of type integer: "string"', 'spec.owner: Required value',
    ]],
    ['what is missing', { spec: { ...stored.spec, owner: 'me' } }, []],
  ])('changes %s', (_, changed, expected) => {
    expect(updateErrors(schema, changed, stored).map(({ text }) => text).sort()).toEqual([...expected].sort());
  });
});

test('defaults fill in what is absent, inside of defaults too', () => {
  const schema = spec({
    a: { type: 'string', default: 'x' },
    n: { type: 'boolean', default: true },
    o: { type: 'object', default: {}, properties: { deep: { type: 'integer', default: 3 } } },
    l: { type: 'array', items: { type: 'object', properties: { d: { type: 'integer', default: 1 } } } },
  });
  expect(withDefaults(schema, { spec: { n: false, l: [{}, { d: 2 }], a: null } })).toEqual({
    spec: { n: false, l: [{ d: 1 }, { d: 2 }], a: 'x', o: { deep: 3 } },
  });
  expect(withDefaults(schema, {})).toEqual({});
});

test('a null where null is not allowed counts as absent', () => {
  const text: JsonSchema = { type: 'string' };
  const schema = spec({
    a: text,
    m: { type: 'object', additionalProperties: text },
    l: { type: 'array', items: text },
    n: { ...text, nullable: true },
  });
  const value = { spec: { a: null, m: { x: null, y: 'z' }, l: [null], n: null, unknown: null } };
  // Of a list nothing can be left out.
  expect(withDefaults(schema, value)).toEqual({ spec: { m: { y: 'z' }, l: [null], n: null, unknown: null } });
});
