import { z } from 'zod';
import { SCHEMAS } from './schemas';
import { structuralSchema } from '../../../composer/definition/structural-schema';
import type { Struct } from '../../../src/util/records';

const structural = (schema: z.ZodType) => structuralSchema(schema['~standard'].jsonSchema.input({ target: 'openapi-3.0' }));
const memberOf = (schema: z.ZodType) => {
  const { schema: made, problems } = structural(z.object({ member: schema }));
  expect(problems).toEqual([]);
  return (made.properties as Struct).member;
};
const problemOf = (schema: z.ZodType) => structural(z.object({ member: schema })).problems.map(({ path, message }) => `${path}: ${message}`);

test.each(Object.entries(SCHEMAS))('the schema %s has a structural form without problems', (_, schema) => {
  const { schema: made, problems } = structural(schema);
  expect(problems).toEqual([]);
  expect(made.type).toBe('object');
});

test('a discriminated union has the members of all branches, and their conditions in oneOf', () => {
  expect(memberOf(z.discriminatedUnion('type', [
    z.object({ type: z.literal('blob'), tier: z.enum(['hot']) }),
    z.object({ type: z.literal('queue'), length: z.int().max(7) }),
  ]))).toEqual({
    type: 'object',
    properties: { type: { type: 'string' }, tier: { type: 'string' }, length: { type: 'integer' } },
    oneOf: [
      { properties: { type: { enum: ['blob'] }, tier: { enum: ['hot'] } }, required: ['type', 'tier'] },
      { properties: { type: { enum: ['queue'] }, length: { minimum: Number.MIN_SAFE_INTEGER, maximum: 7 } }, required: ['type', 'length'] },
    ],
  });
});

test('strict branches forbid the members of the others', () => {
  expect(memberOf(z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]))).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'], not: { anyOf: [{ required: ['b'] }] } }, { required: ['b'], not: { anyOf: [{ required: ['a'] }] } }],
  });
});

test('a default of one branch is not set in objects of another', () => {
  const made = memberOf(z.discriminatedUnion('type', [
    z.object({ type: z.literal('a'), size: z.int().default(3) }),
    z.object({ type: z.literal('b') }),
  ])) as { readonly properties: { readonly size: Struct } };
  expect(made.properties.size).toEqual({ type: 'integer' });
});

test.each<[string, z.ZodType, unknown]>([
  ['any', z.any(), { 'x-kubernetes-preserve-unknown-fields': true }],
  ['a text or an integer', z.union([z.int32().positive(), z.string()]), { 'x-kubernetes-int-or-string': true, 'minimum': 0, 'exclusiveMinimum': true, 'maximum': 2147483647 }],
  ['null', z.string().nullable(), { type: 'string', nullable: true }],
  ['a map', z.record(z.string(), z.object({ a: z.boolean() })), { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] } }],
  ['a loose object', z.looseObject({ a: z.boolean() }), { 'type': 'object', 'properties': { a: { type: 'boolean' } }, 'required': ['a'], 'x-kubernetes-preserve-unknown-fields': true }],
  ['a strict object', z.strictObject({ a: z.boolean() }), { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }],
  ['a named schema', z.string().meta({ id: 'Name', title: 'T', examples: ['x'] }).describe('A name.'), { type: 'string', description: 'A name.' }],
  ['a constant', z.literal(3), { type: 'number', enum: [3] }],
  ['constants of two types', z.literal(['a', 1]), { 'x-kubernetes-int-or-string': true, 'enum': ['a', 1] }],
  ['a default', z.string().default('x'), { type: 'string', default: 'x' }],
  ['white space of JavaScript', z.string().regex(/^\d+\u00e9[\s\S]$/), { type: 'string', pattern: '^\\d+\\x{00e9}(?s:.)$' }],
  ['a named group', z.string().regex(/^(?<year>\d{4})$/), { type: 'string', pattern: '^(?P<year>\\d{4})$' }],
  ['a point', z.string().regex(/^.$/), { type: 'string', pattern: '^[^\\n\\r\\x{2028}\\x{2029}]$' }],
])('%s', (_, schema, expected) => expect(memberOf(schema)).toEqual(expected));

describe('no silent loss:', () => {
  test.each<[string, z.ZodType, string]>([
    ['a text or any number', z.union([z.string(), z.number()]), 'spec.member: a value of the types string or number cannot be expressed'],
    ['a text or a list', z.union([z.string(), z.array(z.string())]), 'spec.member: a value of the types string or array cannot be expressed'],
    ['a tuple of types', z.tuple([z.string(), z.boolean()]), 'spec.member[]: a value of the types string or boolean cannot be expressed'],
    ['a look-ahead', z.string().regex(/^(?!x)a/), "spec.member: the pattern has a look-ahead, which the API server's expressions do not know"],
    ['a back reference', z.string().regex(/^(a)\1$/), 'spec.member: the pattern has a back reference'],
    ['a property of Unicode', z.string().regex(/^\p{Emoji}$/u), 'spec.member: the pattern has the property Emoji'],
    ['fixed members and any', z.object({ a: z.string() }).catchall(z.number()), 'spec.member: an object has either fixed members or any (catchall)'],
    ['never', z.never(), "spec.member: 'not' cannot be expressed"],
    ['a keyword of others', z.string().meta({ patternProperties: {} }), "spec.member: Kubernetes has no 'patternProperties'"],
    ['alternatives that look the same', z.object({ a: z.xor([z.string(), z.string()]) }), 'spec.member.a: the alternatives of oneOf cannot be told apart'],
  ])('%s is a problem with its path', (_, schema, expected) => {
    expect(problemOf(schema)).toEqual([expect.stringContaining(expected)]);
  });

  test('a schema that contains itself', () => {
    const tree: z.ZodType = z.object({ value: z.string(), get children() { return z.array(tree); } });
    expect(problemOf(tree)).toContainEqual(expect.stringContaining('the schema contains itself'));
  });

  test('a spec that is no object', () => {
    expect(structural(z.string()).problems).toEqual([{ path: 'spec', message: 'a spec is an object: give a schema of an object' }]);
  });
});

test('values without a maximum, and formats that only the composer checks, are advice', () => {
  const { advice } = structural(z.object({
    list: z.array(z.enum(['a'])),
    text: z.string(),
    map: z.record(z.string(), z.int()),
    link: z.url().max(100),
    wait: z.iso.duration().max(20),
    fine: z.array(z.string().max(3)).max(2),
    name: z.string().regex(/^[a-z]{1,5}$/),
  }));
  expect(advice.map(({ path, message }) => `${path}: ${message.replace(/: .*/, '')}`)).toEqual([
    'spec.list: the list has no maximum (maxItems)',
    'spec.text: the text has no maximum (maxLength)',
    'spec.map: the map has no maximum (maxProperties)',
    'spec.link: only the composer checks the format uri',
    'spec.wait: only the composer checks the format duration',
  ]);
});
