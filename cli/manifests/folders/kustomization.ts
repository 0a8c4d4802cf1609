import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord, isText } from '../../../src/util/records';
import type { Problem } from '../../output/problem';
import { variablesIn } from '../later/variables';
import { lineAtPath } from '../places';
import { readLimited } from '../read-limited';
import { readSourceText } from '../source-text';

const NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
/** Far more than a kustomization has, and far less than a manifest may have. */
const MAX_KUSTOMIZATION_BYTES = 4 * 1024 * 1024;

/** The use that a kustomization makes of a file or directory. */
export type ReferenceUse = 'object' | 'patch' | 'setting';

/** A file or directory that a kustomization refers to. */
export interface Reference {
  readonly use: ReferenceUse;
  /** The field: `resources`, `patches`. */
  readonly field: string;
  /** As it is written. */
  readonly text: string;
  readonly line: number;
  /** `later`: its path has variables. */
  readonly state: 'local' | 'remote' | 'missing' | 'later';
  /** The whole path; where it is `local`, something is there. */
  readonly path: string;
  /** The kind of a patch's target, where it has one. */
  readonly targetKind?: string | undefined;
}

/** A kustomization file, as far as it is about other files. */
export interface Kustomization {
  readonly file: string;
  readonly directory: string;
  readonly isComponent: boolean;
  readonly references: readonly Reference[];
  /** Charts and programs that a build would run, which `kustomize build` does only when it is told to. */
  readonly programs: readonly { readonly field: string; readonly line: number }[];
  /** Whether it does nothing but name resources. */
  readonly isPlain: boolean;
  lineOf(path: FieldPath): number;
}

/** Whether a file is what kustomize reads. Flux has a kind of the same name, whose files are named so at times. */
export function isKustomizationFile(file: string): boolean {
  if (!NAMES.includes(basename(file))) return false;
  try {
    return !/^["']?apiVersion["']?:\s*["']?kustomize\.toolkit\.fluxcd\.io\//m.test(readLimited(file, MAX_KUSTOMIZATION_BYTES));
  } catch {
    return true; // Reading it as a kustomization says so.
  }
}

/** The kustomization file of a directory. */
export function kustomizationFileOf(directory: string): string | undefined {
  return NAMES.map((name) => join(directory, name)).find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Reads a kustomization file; a problem where it is none. */
export function readKustomization(file: string): Kustomization | Problem {
  let text: string;
  try {
    text = readLimited(file, MAX_KUSTOMIZATION_BYTES);
  } catch (error) {
    return { file, message: `cannot be read: ${(error as Error).message}`, fix: 'give a readable file' };
  }
  const source = readSourceText(text, file);
  const fault = source.documents.find((document) => document.fault)?.fault;
  if (fault) return source.problemOf(fault);
  const document = source.documents.find(({ value }) => (value ?? null) !== null);
  if (document === undefined) return { file, message: 'has nothing', fix: 'name its resources, or remove it' };
  const { value } = document;
  if (!isRecord(value)) return { file, line: 1, message: 'is no kustomization: it is not a map', fix: 'write its fields, such as resources' };
  const directory = dirname(file);
  const lineOf = (path: FieldPath) => lineAtPath(path, document, source);
  const references = Array.from(referencesIn(value), ({ path, ...reference }): Reference => ({
    ...reference, line: lineOf(path), ...placeOf(reference.text, directory),
  }));
  const isPlain = Object.keys(value).every((key) => PLAIN_FIELDS.includes(key));
  return { file, directory, isComponent: value.kind === 'Component', references, programs: programsIn(value, lineOf), isPlain, lineOf };
}

interface Written {
  readonly use: ReferenceUse;
  readonly field: string;
  readonly text: string;
  readonly path: FieldPath;
  readonly targetKind?: string | undefined;
}

const PLAIN_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'sortOptions'];
const OF_OBJECTS: readonly string[] = ['resources', 'bases', 'components'];
const OF_SETTINGS: readonly string[] = ['generators', 'transformers', 'validators', 'configurations', 'crds'];

function* referencesIn(value: Readonly<Record<string, unknown>>): Generator<Written> {
  for (const field of OF_OBJECTS) yield* textsOf(value, field, 'object');
  for (const field of OF_SETTINGS) yield* textsOf(value, field, 'setting');
  yield* textsOf(value, 'patchesStrategicMerge', 'patch');
  for (const field of ['patches', 'patchesJson6902']) yield* pathsOf(value, field, 'patch');
  yield* pathsOf(value, 'replacements', 'setting');
  for (const field of ['configMapGenerator', 'secretGenerator']) yield* filesOfGenerators(value, field);
  if (isRecord(value.openapi) && isText(value.openapi.path)) {
    yield { use: 'setting', field: 'openapi', text: value.openapi.path, path: ['openapi', 'path'] };
  }
}

function* textsOf(value: Readonly<Record<string, unknown>>, field: string, use: ReferenceUse): Generator<Written> {
  for (const [index, text] of listAt(value, field).entries()) {
    if (isText(text) && !isInline(text)) yield { use, field, text, path: [field, index] };
  }
}

function* pathsOf(value: Readonly<Record<string, unknown>>, field: string, use: ReferenceUse): Generator<Written> {
  for (const [index, item] of listAt(value, field).entries()) {
    if (!isRecord(item) || !isText(item.path)) continue;
    const targetKind = isRecord(item.target) && isText(item.target.kind) ? item.target.kind : undefined;
    yield { use, field, text: item.path, path: [field, index, 'path'], targetKind };
  }
}

function* filesOfGenerators(value: Readonly<Record<string, unknown>>, field: string): Generator<Written> {
  for (const [index, generator] of listAt(value, field).entries()) {
    if (!isRecord(generator)) continue;
    for (const list of ['files', 'envs']) {
      for (const [place, text] of listAt(generator, list).entries()) {
        if (!isText(text)) continue;
        // `key=file`
        const name = list === 'files' ? text.slice(text.indexOf('=') + 1) : text;
        yield { use: 'setting', field, text: name, path: [field, index, list, place] };
      }
    }
    if (isText(generator.env)) yield { use: 'setting', field, text: generator.env, path: [field, index, 'env'] };
  }
}

function listAt(value: Readonly<Record<string, unknown>>, field: string): unknown[] {
  const list = value[field];
  return Array.isArray(list) ? list : [];
}

/** Patches and plugins may stand in the kustomization itself, instead of the name of their file. */
function isInline(text: string): boolean {
  return text.includes('\n') || /^\s*[{[]/.test(text) || /^[\w"'-]+:\s/.test(text);
}

function programsIn(value: Readonly<Record<string, unknown>>, lineOf: (path: FieldPath) => number): { field: string; line: number }[] {
  return ['helmCharts', 'helmChartInflationGenerator']
    .filter((field) => listAt(value, field).length > 0)
    .map((field) => ({ field, line: lineOf([field]) }));
}

function placeOf(text: string, directory: string): Pick<Reference, 'state' | 'path'> {
  const path = isAbsolute(text) ? text : join(directory, text);
  if (existsSync(path)) return { state: 'local', path };
  if (isRemote(text)) return { state: 'remote', path };
  return { state: variablesIn(text).length > 0 ? 'later' : 'missing', path };
}

/** Whether kustomize takes a text for an address: one with a scheme, of git by ssh, or of a host that it knows. */
export function isRemote(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*::|[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+[:/]|(?:www\.)?github\.com[:/])/i.test(text)
    || /^[\w-]+(?:\.[\w-]+)+\/.*(?:\?(?:ref|version)=|\.git(?:[/?]|$))/i.test(text);
}
