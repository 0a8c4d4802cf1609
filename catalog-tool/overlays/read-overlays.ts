import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BodyChangeOverlay, KeptOfKind, NameRuleOverlay, Overlays, SecretSourceOverlay, SerialWriteOverlay } from './overlays';

const HOWS: readonly string[] = ['keepExisting', 'mergeByName', 'wellKnownRole', 'recoverOrCreate'];

/**
 * Reads `catalog/overlays/*.yaml`. A file that is absent is empty.
 * @throws when an entry has no reason, lacks what it needs or has what nothing reads
 */
export function readOverlays(directory: string): Overlays {
  return {
    leftOut: entries(directory, 'left-out.yaml', []),
    bodyChanges: entries(directory, 'body-changes.yaml', ['arm', 'how']).map(checkedHow) as unknown as BodyChangeOverlay[],
    serialWrites: entries(directory, 'serial-writes.yaml', ['alone', 'itself'], ['together'], ['parent']) as unknown as SerialWriteOverlay[],
    nameRules: entries(directory, 'name-rules.yaml', ['rules'], ['charsets'], []) as unknown as NameRuleOverlay[],
    secretSources: entries(directory, 'secret-sources.yaml', ['values'], ['calls', 'base64']) as unknown as SecretSourceOverlay[],
  };
}

type Entry = KeptOfKind & Readonly<Record<string, unknown>>;

function entries(directory: string, file: string, needed: readonly string[], possible: readonly string[] = [], key: readonly string[] = ['kind']): Entry[] {
  const path = join(directory, file);
  const list: unknown = existsSync(path) ? (parse(readFileSync(path, 'utf8'), { merge: true }) ?? []) : [];
  if (!Array.isArray(list)) throw new Error(`${path}: not a list`);
  const [must, may] = [[...key, 'reason', ...needed], [...possible, 'evidence']];
  return list.map((entry: unknown, at) => checked(entry, `${path}: entry ${at + 1}`, must, may));
}

function checked(entry: unknown, where: string, needed: readonly string[], possible: readonly string[]): Entry {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${where} is no object`);
  const missing = needed.filter((key) => [undefined, null, ''].includes((entry as Record<string, unknown>)[key] as undefined));
  if (missing.length > 0) throw new Error(`${where} has no ${missing.join(', ')}`);
  const unknown = Object.keys(entry).filter((key) => !needed.includes(key) && !possible.includes(key));
  if (unknown.length > 0) throw new Error(`${where} has ${unknown.join(', ')}, which nothing reads`);
  return entry as Entry;
}

function checkedHow(entry: Entry): Entry {
  if (HOWS.includes(entry.how as string)) return entry;
  throw new Error(`body-changes.yaml: ${entry.kind} has the unknown change ${String(entry.how)}; there are ${HOWS.join(', ')}`);
}
