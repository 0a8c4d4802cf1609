import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isNode, isSeq } from 'yaml';
import { fixByDirectoriesBelow } from './directories-below';
import { MANIFEST_FILE, OTHER_FILES } from './file-names';
import { KnownValues } from './later/known-values';
import { MAX_FILE_BYTES, readLimited, TooManyBytesError } from './read-limited';
import { objectsIn, readSourceText, type SourceText } from './source-text';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { FillScalar } from '../../engine/yaml/node-value';
import type { YamlDocument } from '../../engine/yaml/read-yaml';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord } from '../../src/util/records';
import { asText } from '../../src/util/words';
import { oneLine, type Problem } from '../output/problem';

/** A Kubernetes object and the place that it was read from. */
export interface Manifest {
  readonly file: string;
  /** Line of the object's beginning, counted from 1. */
  readonly line: number;
  /** As written: nothing is defaulted. `apiVersion`, `kind` and `metadata.name` are there and are text. */
  readonly object: KubernetesObject;
  /** Line of a field, or of the innermost thing around it that is written down. */
  lineOf(path: FieldPath): number;
}

/** All objects that could be read, and one problem for everything that could not. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly problems: Problem[];
}

const STANDARD_INPUT = '-';
const NO_MANIFESTS = 'give a directory with manifests, e.g. the dist/ that cdk8s synth writes';

/**
 * Reads manifests as `kubectl apply -f` does: files with YAML or JSON, one or many documents, lists (`kind: List`), and directories (their
 * own `.yaml`, `.yml` and `.json` files, by name). `-` is the standard input. Never throws for what a file contains.
 * @param duplicates an object that stands twice in the files is a problem and left out, unless it is to be kept
 * @param values of the variables in the files; those that Flux's objects in the files substitute are known as well
 */
export function readManifests(
  paths: readonly string[], duplicates: 'refuse' | 'keep' = 'refuse', values: KnownValues = new KnownValues(new Map()),
): Manifests {
  const texts = new Map<string, string>();
  const read = readPaths(paths, texts);
  const known = values.withFlux(read.manifests.map(({ object }) => object));
  const { manifests, problems } = known.isEmpty ? read : readPaths(paths, texts, (...scalar) => known.fill(...scalar));
  return duplicates === 'keep' ? { manifests, problems } : withoutDuplicates(manifests, problems);
}

/** @param texts of files that were read: a standard input is read once */
function readPaths(paths: readonly string[], texts: Map<string, string>, fill?: FillScalar): Manifests {
  const manifests: Manifest[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const before = manifests.length + problems.length;
    for (const source of manifestFiles(path)) {
      if ('message' in source) {
        problems.push(source);
        continue;
      }
      const read = readFile(source.file, texts, fill);
      manifests.push(...read.manifests);
      problems.push(...read.problems);
    }
    if (manifests.length + problems.length === before) problems.push(...nothingIn(path));
  }
  return { manifests, problems };
}

/**
 * The problem of a directory, or a standard input, without any object: somewhere before, something failed. A file may be empty, as those of
 * charts without objects are.
 */
export function nothingIn(path: string): Problem[] {
  if (path === STANDARD_INPUT) {
    return [{ file: '<stdin>', message: 'has no Kubernetes object', fix: 'see whether the command before the pipe failed' }];
  }
  return isDirectory(path) ? [{ file: path, message: 'the directory has no Kubernetes object', fix: fixByDirectoriesBelow(path) ?? NO_MANIFESTS }] : [];
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** `Kind namespace/name`, as problems name an object. */
export function describeObject(object: KubernetesObject): string {
  const { namespace, name } = object.metadata;
  return `${object.kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** The namespace that an object without one goes to. */
export function namespaceOf(object: KubernetesObject): string {
  return object.metadata.namespace ?? 'default';
}

/** The API group of an object, `''` for the core group. */
export function groupOf(object: KubernetesObject): string {
  const slash = object.apiVersion.indexOf('/');
  return slash < 0 ? '' : object.apiVersion.slice(0, slash);
}

/** The files that a path means: itself, or the manifests of a directory. */
export function manifestFiles(path: string): ({ file: string } | Problem)[] {
  if (path === STANDARD_INPUT) return [{ file: path }];
  try {
    const found = statSync(path);
    if (found.isFile() && found.size > MAX_FILE_BYTES) return [unreadable(path, new TooManyBytesError(MAX_FILE_BYTES))];
    if (!found.isDirectory()) return [{ file: path }];
    const files = readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && MANIFEST_FILE.test(entry.name) && !OTHER_FILES.includes(entry.name))
      .map((entry) => ({ file: join(path, entry.name) }))
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    if (files.length > 0) return files;
    return [{ file: path, message: 'the directory has no .yaml, .yml or .json file', fix: fixByDirectoriesBelow(path) ?? NO_MANIFESTS }];
  } catch (error) {
    return [unreadable(path, error)];
  }
}

/** A file, or the standard input, that cannot be read. */
export function unreadable(file: string, error: unknown): Problem {
  if (error instanceof TooManyBytesError) return { file, message: error.message, fix: error.fix };
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Record<string, [message: string, fix: string]> = {
    ENOENT: ['no such file or directory', 'check the path'],
    EACCES: ['permission denied', 'make the file readable'],
    EISDIR: ['is a directory', 'give a file or a directory of manifests'],
  };
  const [message, fix] = reasons[code ?? ''] ?? [`cannot be read: ${oneLine((error as Error).message)}`, 'give a readable file'];
  return { file, message, fix };
}

function readFile(file: string, texts: Map<string, string>, fill: FillScalar | undefined): Manifests {
  const name = file === STANDARD_INPUT ? '<stdin>' : file;
  let text = texts.get(file);
  try {
    text ??= readLimited(file === STANDARD_INPUT ? 0 : file);
  } catch (error) {
    return { manifests: [], problems: [unreadable(name, error)] };
  }
  texts.set(file, text);
  return parseManifests(text, name, fill);
}

/** Reads the text of one file. */
export function parseManifests(text: string, file: string, fill?: FillScalar): Manifests {
  const source = readSourceText(text, file, fill);
  const manifests: Manifest[] = [];
  const problems: Problem[] = [...source.problems];
  for (const document of source.documents) {
    if ((document.value ?? null) === null) continue;
    for (const { value, path } of objectsIn(document.value)) {
      const read = manifestOf(value, path, document, source);
      if ('message' in read) problems.push(read);
      else manifests.push(read);
    }
  }
  return { manifests, problems };
}

/** The object at a path of a document, or what is wrong with it. */
function manifestOf(value: unknown, path: FieldPath, document: YamlDocument, source: SourceText): Manifest | Problem {
  const { file } = source;
  const lineOf = (field: FieldPath) => lineAtPath([...path, ...field], document, source);
  const refused = (message: string, fix: string, field?: string): Problem => {
    const kind = isRecord(value) && typeof value.kind === 'string' ? value.kind : undefined;
    const metadata = isRecord(value) && isRecord(value.metadata) ? value.metadata : {};
    const name = typeof metadata.name === 'string' ? metadata.name : undefined;
    return { file, line: lineOf([]), object: kind && (name ? `${kind} ${name}` : kind), field, message, fix };
  };
  if (!isRecord(value)) return refused('is not a Kubernetes object', 'give an object with apiVersion, kind and metadata');
  if (typeof value.apiVersion !== 'string' || value.apiVersion === '') {
    return refused('is missing', 'add the group and version, e.g. resources.azure.com/v1api20200601', 'apiVersion');
  }
  if (typeof value.kind !== 'string' || value.kind === '') return refused('is missing', 'add the kind, e.g. ResourceGroup', 'kind');
  const { name, namespace, labels, annotations, generateName } = isRecord(value.metadata) ? value.metadata : {};
  if (typeof name !== 'string' || name === '') {
    if ((name ?? '') !== '') return refused('is not a text', 'put the name in quotes', 'metadata.name');
    if (value.kind === 'Kustomization') return refused('is missing', 'give what it builds: kubectl kustomize DIRECTORY', 'metadata.name');
    if (generateName) return refused('is missing', 'give the object a name: with generateName it is another one each time', 'metadata.name');
    return refused('is missing', 'give the object a name', 'metadata.name');
  }
  if (namespace !== undefined && namespace !== null && (typeof namespace !== 'string' || namespace === '')) {
    return refused('is not a text', 'give the name of a namespace, or leave it out', 'metadata.namespace');
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map !== undefined && map !== null && !isTextMap(map)) {
      return refused('has a value that is not a text', 'put the values in quotes', `metadata.${field}`);
    }
  }
  if (value.spec !== undefined && value.spec !== null && !isRecord(value.spec)) {
    return refused('is not an object', 'write the properties of the resource below spec', 'spec');
  }
  return { file, line: lineOf([]), object: withoutNulls(value) as unknown as KubernetesObject, lineOf };
}

/** The API server takes a null in metadata for left out. */
function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  const metadata = Object.entries(object.metadata as Record<string, unknown>);
  if (metadata.every(([, value]) => value !== null)) return object;
  return { ...object, metadata: Object.fromEntries(metadata.filter(([, value]) => value !== null)) };
}

/** Line of the value at a path, or of the innermost thing around it that is written there. */
function lineAtPath(path: FieldPath, { document }: YamlDocument, { lineAt }: SourceText): number {
  let node: unknown = document.contents;
  const lineOf = (one: unknown) => (isNode(one) && one.range ? lineAt(one.range[0]) : undefined);
  let line = lineOf(node) ?? 1;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.findLast((item) => asText((item.key as { value?: unknown } | null)?.value) === String(segment));
      if (!pair) return line;
      line = lineOf(pair.key) ?? line;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      line = lineOf(node) ?? line;
    } else {
      return line;
    }
  }
  return line;
}

function withoutDuplicates(manifests: Manifest[], problems: Problem[]): Manifests {
  const first = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const key = [groupOf(object), object.kind, namespaceOf(object), object.metadata.name].join('/');
    const other = first.get(key);
    if (other) {
      problems.push({
        file: manifest.file,
        line: manifest.line,
        object: describeObject(object),
        message: `stands already in ${other.file}:${other.line}; this one is left out`,
        fix: 'remove one of the two or give it another name',
      });
    } else {
      first.set(key, manifest);
    }
  }
  return { manifests: [...first.values()], problems };
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');
}
