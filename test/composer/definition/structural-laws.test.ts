import fc from 'fast-check';
import type { z } from 'zod';
import { SCHEMAS, type SchemaName } from './schemas';
import { SPECS } from './specs';
import { structuralSchema } from '../../../composer/definition/structural-schema';
import { prune, withDefaults } from '../../../sandbox/kubernetes/schema/fields';
import { validate } from '../../../sandbox/kubernetes/schema/validate';
import type { JsonSchema } from '../../../src/catalog/crd-types';

/** The same on a real kube-apiserver: real-claims.test.ts. */
test.each(Object.keys(SCHEMAS) as SchemaName[])('%s: the structural schema takes and refuses what the schema library does', (name) => {
  const schema = SCHEMAS[name] as z.ZodType;
  const { schema: spec } = structuralSchema(schema['~standard'].jsonSchema.input({ target: 'openapi-3.0' }));
  const structural = { type: 'object', properties: { spec } } as JsonSchema;
  fc.assert(fc.property(SPECS[name], (value) => {
    // The server removes unknown members, and null where it is not allowed.
    const stored = withDefaults(structural, prune(structural, { spec: value }).value) as { readonly spec: unknown };
    expect(validate(structural, stored).length === 0).toBe(schema.safeParse(stored.spec).success);
  }), { numRuns: 1000 });
});
