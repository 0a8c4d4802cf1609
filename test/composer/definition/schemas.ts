import { z } from 'zod';

/** Schemas of claims, with what a schema library has to offer. */
export const SCHEMAS = {
  texts: z.object({
    plain: z.string().max(20),
    short: z.string().min(2).max(4).optional(),
    pattern: z.string().regex(/^[a-z]\d+$/).optional(),
    space: z.string().regex(/^a\s.b$/).optional(),
    two: z.string().startsWith('a').endsWith('z').optional(),
    kind: z.enum(['small', 'large']).default('small'),
    date: z.iso.date().optional(),
    address: z.ipv4().optional(),
    mail: z.email().optional(),
  }),
  numbers: z.object({
    whole: z.number().int().min(1).max(5),
    small: z.number().gt(0).lt(1).optional(),
    five: z.number().multipleOf(5).optional(),
    fixed: z.literal(3).optional(),
    on: z.boolean(),
    none: z.number().nullable().optional(),
  }),
  lists: z.object({
    names: z.array(z.string().max(3)).min(1).max(2),
    objects: z.array(z.object({ name: z.string(), size: z.int().optional() })).optional(),
    map: z.record(z.string(), z.number().max(9)).optional(),
    nested: z.record(z.string(), z.array(z.boolean())).optional(),
  }),
  unions: z.object({
    store: z.discriminatedUnion('type', [
      z.object({ type: z.literal('blob'), containers: z.array(z.string()), tier: z.enum(['hot', 'cool']).optional() }),
      z.object({ type: z.literal('queue'), length: z.int().max(7), tier: z.enum(['basic']) }),
    ]),
    size: z.union([z.literal('small'), z.literal('large')]).optional(),
    port: z.union([z.int().min(1).max(100), z.string().regex(/^[a-z]+$/)]).optional(),
    either: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]).optional(),
  }),
  both: z.intersection(z.object({ a: z.string().min(1) }), z.object({ b: z.int().max(4) })),
  loose: z.looseObject({ name: z.string() }),
} as const;

export type SchemaName = keyof typeof SCHEMAS;
