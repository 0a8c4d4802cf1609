import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitedProperties } from './limited-properties';
import { armTypeOf } from '../../src/azure/arm-id';
import { Catalog, immutableChanges } from '../../src/catalog';

/** The types and enumerations of Microsoft at each limited property: `scripts/arm-paths.ts`. */
const PATHS = JSON.parse(readFileSync(join(__dirname, '..', 'fixtures', 'arm-paths.json'), 'utf8')) as Record<string, Record<string, string | string[]>>;
const LIMITED = limitedProperties();
const title = ({ kind, pointer }: { kind: string; pointer: string }) => `${kind} ${pointer}`;

test('every limited property is one that Microsoft\'s types have, and that can be written', () => {
  // The index has no resource groups.
  const missing = LIMITED.filter(({ armType, pointer }) => (
    armType !== 'Microsoft.Resources/resourceGroups' && ['absent', 'read-only', 'no such type', undefined].includes(PATHS[armType]?.[pointer] as never)
  ));
  expect(missing.map(title)).toEqual([]);
});

test('the values of the facts are of the type, and words of the enumeration, that Microsoft\'s types have', () => {
  const wrong = LIMITED.flatMap(({ rule, armType, pointer, kind }) => {
    const known = PATHS[armType]?.[pointer];
    if (rule === true || known === undefined) return [];
    const words = Array.isArray(known) ? known.map((word) => word.toLowerCase()) : undefined;
    const fits = (value: unknown) => {
      if (Array.isArray(value)) return known === 'array';
      if (typeof value === 'boolean') return known === 'boolean';
      if (typeof value === 'number') return known === 'integer';
      const word = String(value).toLowerCase();
      return words ? words.some((one) => (word.endsWith('*') ? one.startsWith(word.slice(0, -1)) : one === word)) : known === 'string';
    };
    const values = (rule.takes ?? []).flatMap((one) => (typeof one === 'string' ? [] : [...one.from ?? [], ...one.to ?? []]));
    const all = [...values, ...rule.order ?? [], ...(rule.leftOut === undefined ? [] : [rule.leftOut])];
    return all.filter((value) => !fits(value)).map((value) => `${title({ kind, pointer })}: ${String(value)} is not among ${String(known)}`);
  });
  expect(wrong).toEqual([]);
});

interface TakenUpdate {
  readonly case: string;
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Bodies that Azure took, with what was sent or answered before: recorded by the ASO project. */
const TAKEN = JSON.parse(readFileSync(join(__dirname, '..', 'fixtures', 'taken-updates.json'), 'utf8')) as TakenUpdate[];

test('no change that Azure was recorded to take is one that it refuses', () => {
  const byType = new Map(Catalog.default().allKinds.map((kind) => [kind.latest.facts.arm?.type.toLowerCase(), kind.latest] as const));
  const found = TAKEN.flatMap(({ case: name, path, before, after }) => {
    const version = byType.get(armTypeOf(path)?.toLowerCase());
    return version ? immutableChanges(version, before, after, 'body').map((change) => `${name} ${path} ${change.path}`) : [`${path}: no kind`];
  });
  expect(found).toEqual([]);
});
