import fc from 'fast-check';
import type { SchemaName } from './schemas';

/** Values that are often right, and often nearly so. */
const text = fc.constantFrom(
  '', 'a', 'ab', 'abcd', 'abcde', 'a1', 'b22', 'az', 'a b', 'a cb', 'small', 'large', '2026-02-28', '2026-02-30', '10.0.0.1', '10.0.0.256',
  'x@y.zz', 'x@y',
);
const scalar = fc.oneof(text, fc.integer({ min: -1, max: 8 }), fc.constantFrom(0.5, 1, 2.5, 10, null, true, false), fc.constant(3));
const members = (value: fc.Arbitrary<unknown>, ...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
const near = (right: object) => (mistakes: fc.Arbitrary<object>) =>
  fc.oneof(mistakes, mistakes.map((some) => ({ ...right, ...some })), fc.constant(right));
/** Specs of claims of each schema. */
export const SPECS: Readonly<Record<SchemaName, fc.Arbitrary<unknown>>> = {
  texts: near({ plain: 'x' })(members(fc.oneof({ weight: 5, arbitrary: text }, scalar), 'plain', 'short', 'pattern', 'space', 'two', 'kind', 'date', 'address', 'mail')),
  numbers: near({ whole: 2, on: true })(members(scalar, 'whole', 'small', 'five', 'fixed', 'on', 'none')),
  lists: near({ names: ['a'] })(fc.record({
    names: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
    objects: fc.oneof(scalar, fc.array(members(scalar, 'name', 'size'), { maxLength: 2 })),
    map: fc.oneof(scalar, fc.dictionary(fc.constantFrom('a', 'b.c'), scalar)),
    nested: fc.dictionary(fc.constantFrom('a', 'b'), fc.array(fc.oneof(fc.boolean(), scalar), { maxLength: 2 })),
  }, { requiredKeys: [] })),
  unions: near({ store: { type: 'blob', containers: [] } })(fc.record({
    store: fc.oneof(scalar, fc.record({
      type: fc.constantFrom('blob', 'queue', 'other'),
      containers: fc.array(text, { maxLength: 2 }),
      length: fc.integer({ min: 0, max: 9 }),
      tier: fc.constantFrom('hot', 'cool', 'basic'),
    }, { requiredKeys: [] })),
    size: text,
    port: scalar,
    either: members(text, 'a', 'b'),
  }, { requiredKeys: [] })),
  both: near({ a: 'x', b: 1 })(members(scalar, 'a', 'b')),
  loose: near({ name: 'x' })(members(scalar, 'name', 'other')),
};
