import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitedProperties } from '../test/catalog/limited-properties';

/*
 * Writes test/fixtures/arm-paths.json: what Microsoft's types have at the properties that the catalog limits. Argument: a directory with
 * `newest.json` and the types.json of https://github.com/Azure/bicep-types-az, e.g. `npx tsx scripts/arm-paths.ts ../azure-types/generated`.
 */

const OUT = join(__dirname, '..', 'test', 'fixtures', 'arm-paths.json');
/** Sums of the flags of a property, with that of a read-only one. */
const READ_ONLY = new Set([2, 3, 10, 11, 18, 26]);

interface Property {
  readonly type: unknown;
  readonly flags: number;
}

type TypeElement = Readonly<Record<string, unknown>>;

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('give the directory of the types');
const newest = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(join(directory, 'newest.json'), 'utf8')) as Record<string, { version: string; file: string }>)
    .map(([type, entry]) => [type.toLowerCase(), entry]),
);
const out: Record<string, Record<string, unknown>> = {};
for (const { armType, pointer } of limitedProperties()) (out[armType] ??= {})[pointer] = at(armType, pointer);
const sorted = Object.entries(out).sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([type, paths]) => [type, Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))]);
writeFileSync(OUT, `${JSON.stringify(Object.fromEntries(sorted), undefined, 1)}\n`);

/** `absent`, `read-only`, the name of a type, or the words of an enumeration. */
function at(armType: string, pointer: string): unknown {
  const entry = newest[armType.toLowerCase()];
  if (!entry) return 'no such type';
  const types = JSON.parse(readFileSync(join(directory!, '..', entry.file), 'utf8')) as TypeElement[];
  const name = `${armType}@${entry.version}`.toLowerCase();
  const resource = types.find((type) => type.$type === 'ResourceType' && String(type.name).toLowerCase() === name);
  if (!resource) return 'no such type';
  return walk([resolved(resource.body, types)], pointer.split('/').slice(1), types);
}

function walk(candidates: readonly TypeElement[], steps: readonly string[], types: readonly TypeElement[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return described(candidates, types);
  const next = candidates.flatMap((type) => variantsOf(type, types)).flatMap((type): (TypeElement | string)[] => {
    if (step === '-') return type.$type === 'ArrayType' ? [resolved(type.itemType, types)] : [];
    const properties = { ...(type.baseProperties as object), ...(type.properties as object) } as Record<string, Property>;
    const found = Object.entries(properties).find(([key]) => key === step)?.[1];
    if (!found) return [];
    return READ_ONLY.has(found.flags) ? ['read-only'] : [resolved(found.type, types)];
  });
  const there = next.filter((type): type is TypeElement => typeof type !== 'string');
  return there.length > 0 ? walk(there, rest, types) : next[0] ?? 'absent';
}

/** A discriminated object is each of its elements. */
function variantsOf(type: TypeElement, types: readonly TypeElement[]): TypeElement[] {
  if (type.$type === 'UnionType') return (type.elements as unknown[]).flatMap((element) => variantsOf(resolved(element, types), types));
  if (type.$type !== 'DiscriminatedObjectType') return [type];
  return [type, ...Object.values(type.elements as Record<string, unknown>).map((element) => resolved(element, types))];
}

function described(candidates: readonly TypeElement[], types: readonly TypeElement[]): unknown {
  const literal = (value: string): TypeElement => ({ $type: 'StringLiteralType', value });
  const all = candidates.flatMap((type) => (
    type.$type === 'DiscriminatedObjectType' ? Object.keys(type.elements as object).map(literal) : variantsOf(type, types)
  ));
  const words = all.flatMap((type) => (type.$type === 'StringLiteralType' ? [String((type as { value?: unknown }).value)] : []));
  if (words.length > 0) return [...new Set(words)].sort();
  return String(all[0]?.$type ?? 'absent').replace(/Type$/, '').toLowerCase();
}

function resolved(reference: unknown, types: readonly TypeElement[]): TypeElement {
  const index = Number(String((reference as { $ref: string }).$ref).slice(2));
  const found = types[index];
  if (!found) throw new Error(`there is no type ${index}`);
  return found;
}
