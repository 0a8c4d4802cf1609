import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readChangeNote, type ChangeNote } from './change-note';
import { plainText, sentence } from './sentence';
import type { PropertyDoc } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** The directory of the property notes below that of the overlays. */
export const PROPERTIES = 'properties';
const TEXTS: readonly string[] = ['text', 'unit', 'format', 'default', 'excludes', 'see'];
const SENTENCES: readonly string[] = ['text', 'excludes', 'immutable'];

/** The facts and texts about a property that are kept by hand. */
export interface PropertyNote extends Omit<PropertyDoc, 'immutable'> {
  readonly immutable?: true | string | ChangeNote;
}

/** Type name → property → its note. */
export type ServiceNotes = Readonly<Record<string, Readonly<Record<string, PropertyNote>>>>;

/** Service → the notes about its properties. */
export type PropertyNotes = ReadonlyMap<string, ServiceNotes>;

/**
 * Reads `properties/<service>.yaml` below the directory of the overlays. A missing directory counts as empty.
 * @throws when a note has an unknown key, or a value that is no text
 */
export function readPropertyNotes(overlays: string): PropertyNotes {
  const directory = join(overlays, PROPERTIES);
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.yaml')).sort() : [];
  return new Map(names.map((name) => {
    const file = `${PROPERTIES}/${name}`;
    const types: unknown = parse(readFileSync(join(directory, name), 'utf8'), { merge: true }) ?? {};
    return [name.slice(0, -'.yaml'.length), mapped(types, file, (type, at) => mapped(type, at, note))];
  }));
}

function mapped<T>(value: unknown, at: string, read: (value: unknown, at: string) => T): Record<string, T> {
  if (!isRecord(value)) throw new Error(`overlays/${at}: not a map`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, read(each, `${at}: ${name}`)]));
}

function note(value: unknown, at: string): PropertyNote {
  if (!isRecord(value)) throw new Error(`overlays/${at}: not a map`);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, checked(key, each, at)]));
}

function checked(key: string, value: unknown, at: string): string | true | ChangeNote {
  if (key === 'immutable' && value === true) return true;
  if (key === 'immutable' && isRecord(value)) return readChangeNote(value, `overlays/${at}: ${key}`);
  if (!TEXTS.includes(key) && key !== 'immutable') throw new Error(`overlays/${at} has ${key}, which nothing reads`);
  if (typeof value === 'object' || value === undefined || value === '') throw new Error(`overlays/${at}: ${key} is no text`);
  return SENTENCES.includes(key) ? sentence(value, `overlays/${at}: ${key}`) : plainText(value);
}
