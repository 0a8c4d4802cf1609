import { statSync, type Stats } from 'node:fs';
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
  /** `later`: its path has variables; `special`: a device, a pipe or a socket; `absolute`: of this machine alone. */
  readonly state: 'file' | 'directory' | 'remote' | 'missing' | 'later' | 'special' | 'absolute';
  /** The whole path. */
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
  /** Whether it may give fields of its resources other values: besides names, labels and namespaces. */
  readonly changesValues: boolean;
  /** Whether its references are all that it reads: generators and transformers name files of their own. */
  readonly isTransparent: boolean;
  lineOf(path: FieldPath): number;
}

export function isKustomizationName(name: string): boolean {
  return NAMES.includes(name);
}

/** Whether a file is what kustomize reads. Flux has a kind of the same name, whose files are named so at times. */
export function isKustomizationFile(file: string): boolean {
  if (!isKustomizationName(basename(file))) return false;
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
  const programs = programsIn(value, lineOf);
  const changesValues = CHANGING_FIELDS.some((field) => value[field] !== undefined);
  return { file, directory, isComponent: value.kind === 'Component', references, programs, isPlain, changesValues, isTransparent: isTransparent(value), lineOf };
}

interface Written {
  readonly use: ReferenceUse;
  readonly field: string;
  readonly text: string;
  readonly path: FieldPath;
  readonly targetKind?: string | undefined;
}

const PLAIN_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'sortOptions'];
/** Fields without files, or with none but those of `referencesIn`. */
const TRANSPARENT_FIELDS: readonly string[] = [
  ...PLAIN_FIELDS, 'components', 'crds', 'patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements',
  'configMapGenerator', 'secretGenerator',
  'generatorOptions',
  'namespace', 'namePrefix', 'nameSuffix', 'commonLabels', 'commonAnnotations', 'labels', 'images', 'replicas', 'vars', 'buildMetadata',
];
const TRANSPARENT_ITEMS: Readonly<Record<string, readonly string[]>> = {
  patches: ['path', 'patch', 'target', 'options'],
  patchesJson6902: ['path', 'patch', 'target', 'options'],
  replacements: ['source', 'targets'],
  configMapGenerator: ['name', 'namespace', 'behavior', 'files', 'envs', 'env', 'literals', 'options'],
  secretGenerator: ['name', 'namespace', 'behavior', 'files', 'envs', 'env', 'literals', 'options', 'type'],
};
const CHANGING_FIELDS: readonly string[] = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements', 'vars', 'transformers'];
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

/** Kustomize takes `Generators` for `generators`: only fields that are known as they are written count. */
function isTransparent(value: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(value).every((field) => TRANSPARENT_FIELDS.includes(field) && listAt(value, field).every((item) => {
    // Kustomize may look for a file before it takes a text for a patch.
    if (isText(item)) return !isInline(item) || !item.includes('..');
    const known = TRANSPARENT_ITEMS[field];
    return known === undefined || !isRecord(item) || Object.keys(item).every((key) => known.includes(key));
  }));
}

function programsIn(value: Readonly<Record<string, unknown>>, lineOf: (path: FieldPath) => number): { field: string; line: number }[] {
  return ['helmCharts', 'helmChartInflationGenerator']
    .filter((field) => listAt(value, field).length > 0)
    .map((field) => ({ field, line: lineOf([field]) }));
}

function placeOf(text: string, directory: string): Pick<Reference, 'state' | 'path'> {
  const path = isAbsolute(text) ? text : join(directory, text);
  return { state: stateOf(text, path), path };
}

function stateOf(text: string, path: string): Reference['state'] {
  if (isRemote(text)) return 'remote';
  if (isAbsolute(text)) return 'absolute';
  const found = statOf(path);
  if (found) return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'special';
  if (isAddress(text)) return 'remote';
  return variablesIn(text).length > 0 ? 'later' : 'missing';
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // Not there, or a link that leads nowhere.
  }
}

/**
 * Whether kustomize takes a text for an address, whatever there is on the disk: one with a scheme, of git by ssh, or of a host that it
 * knows.
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/git/repospec.go
 */
function isRemote(text: string): boolean {
  return /^\s*(?:[a-z][a-z0-9+.-]*::|[a-z][a-z0-9+.-]*:\/\/|https?:|gh:|[\w.-]+@[\w.-]+[:/]|(?:www\.)?github\.com[:/])/i.test(text);
}

/** Whether a text is meant for an address of git, which kustomize has known in some versions. */
function isAddress(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+\/.*(?:\?(?:ref|version)=|\.git(?:[/?]|$))/i.test(text);
}
