import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type {
  BodyChangeOverlay, ComparisonOverlay, Kept, KeptOfKind, NameRuleOverlay, OutputOverlay, Overlays, QuantityOverlay, SecretSourceOverlay,
} from './overlays';
import { readOwnKinds } from './own-kinds';
import { readPropertyNotes } from './read-property-notes';

const HOWS: readonly string[] = ['keepExisting', 'mergeByName', 'wellKnownRole', 'recoverOrCreate'];

/**
 * Reads `catalog/overlays`. A missing file counts as empty.
 * @throws when an entry lacks its reason or another required property, or has an unknown property
 */
export function readOverlays(directory: string): Overlays {
  // The names of the properties are checked; their values are a hand-kept file's, and `T` is the declaration of it.
  const read = <T extends Kept>(file: string, needed: readonly string[], possible: readonly string[] = []) => (
    entries(join(directory, file), ['reason', ...needed], ['evidence', ...possible]) as unknown as T[]
  );
  return {
    leftOut: read<KeptOfKind>('left-out.yaml', ['kind']),
    bodyChanges: read<BodyChangeOverlay>('body-changes.yaml', ['kind', 'arm', 'how']).map(checkedHow),
    nameRules: read<NameRuleOverlay>('name-rules.yaml', ['rules'], ['charsets']),
    secretSources: read<SecretSourceOverlay>('secret-sources.yaml', ['kind', 'values'], ['calls', 'base64']),
    properties: readPropertyNotes(directory),
    outputs: read<OutputOverlay>('outputs.yaml', ['kind'], ['outputs', 'secretOutputs']),
    quantities: read<QuantityOverlay>('quantities.yaml', [], ['suffixes', 'properties']),
    comparison: read<ComparisonOverlay>('comparison.yaml', [], ['facts', 'names', 'properties', 'tags', 'identities']),
    ownKinds: readOwnKinds(directory),
  };
}

function entries(path: string, needed: readonly string[], possible: readonly string[]): object[] {
  const list: unknown = existsSync(path) ? (parse(readFileSync(path, 'utf8'), { merge: true }) ?? []) : [];
  if (!Array.isArray(list)) throw new Error(`${path}: not a list`);
  return list.map((entry: unknown, at) => checked(entry, `${path}: entry ${at + 1}`, needed, possible));
}

function checked(entry: unknown, where: string, needed: readonly string[], possible: readonly string[]): object {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${where} is no object`);
  const missing = needed.filter((key) => [undefined, null, ''].includes((entry as Record<string, unknown>)[key] as undefined));
  if (missing.length > 0) throw new Error(`${where} has no ${missing.join(', ')}`);
  const unknown = Object.keys(entry).filter((key) => !needed.includes(key) && !possible.includes(key));
  if (unknown.length > 0) throw new Error(`${where} has ${unknown.join(', ')}, which nothing reads`);
  return entry;
}

function checkedHow(entry: BodyChangeOverlay): BodyChangeOverlay {
  if (HOWS.includes(entry.how)) return entry;
  throw new Error(`body-changes.yaml: ${entry.kind} has the unknown change ${entry.how}; there are ${HOWS.join(', ')}`);
}
