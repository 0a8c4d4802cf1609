import { SchemaError } from '../../../cli/import-crds/schema-error';
import { soundSchema } from '../../../cli/import-crds/sound-schema';

const sound = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'array', items: { type: 'string', enum: ['x'] } },
    b: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
  },
};

test('a sound schema is what it was', () => {
  expect(soundSchema(sound, 'schema')).toBe(sound);
});

test.each([
  ['text for required', { required: 'a' }, 'schema.required'],
  ['number among required', { required: [5] }, 'schema.required'],
  ['list for properties', { properties: [] }, 'schema.properties'],
  ['null for a property', { properties: { a: null } }, 'schema.a'],
  ['text for items', { items: 'string' }, 'schema[]'],
  ['object for a description', { properties: { a: { description: {} } } }, 'schema.a.description'],
  ['text for a bound', { additionalProperties: { minimum: '1' } }, 'schema{}.minimum'],
])('%s is refused, with its path', (_, schema, path) => {
  expect(() => soundSchema(schema, 'schema')).toThrow(expect.objectContaining({ name: 'SchemaError', path }) as SchemaError);
});

test('a schema that nests too deep is refused instead of exhausting the stack', () => {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < 100_000; level += 1) schema = { items: schema };
  expect(() => soundSchema(schema, 'schema')).toThrow(SchemaError);
});
