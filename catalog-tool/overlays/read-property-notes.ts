import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { PropertyDoc, ServiceDocs } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** The directory of the property notes below that of the overlays. */
export const PROPERTIES = 'properties';
const TEXTS: readonly string[] = ['text', 'unit', 'format', 'default', 'excludes', 'see'];
const SENTENCES: readonly string[] = ['text', 'excludes', 'immutable'];
const LONGEST_SENTENCE = 240;

/** Service → the documentation of its properties that is kept by hand. */
export type PropertyNotes = ReadonlyMap<string, ServiceDocs>;

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

function note(value: unknown, at: string): PropertyDoc {
  if (!isRecord(value)) throw new Error(`overlays/${at}: not a map`);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, checked(key, each, at)]));
}

function checked(key: string, value: unknown, at: string): string | true {
  if (key === 'immutable' && value === true) return true;
  if (!TEXTS.includes(key) && key !== 'immutable') throw new Error(`overlays/${at} has ${key}, which nothing reads`);
  if (typeof value === 'object' || value === undefined || value === '') throw new Error(`overlays/${at}: ${key} is no text`);
  const text = String(value).replace(/\s+/g, ' ').trim();
  if (!SENTENCES.includes(key)) return text;
  if (!/[.!?)]$/.test(text)) throw new Error(`overlays/${at}: ${key} is no sentence: it ends without a period`);
  if (text.length > LONGEST_SENTENCE) throw new Error(`overlays/${at}: ${key} has ${text.length} characters; ${LONGEST_SENTENCE} are the most`);
  return text;
}
