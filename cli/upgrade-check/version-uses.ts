import { resolve } from 'node:path';
import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import { Catalog, isDroppedGroup } from '../../src/catalog';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord, text as textOf } from '../../src/util/records';
import { isDirectory, STANDARD_INPUT, unreadable } from '../manifests/folders/files';
import { rootsIn } from '../manifests/folders/roots';
import { asideNote, hasContent, isLeftAside, mayHaveObjects } from '../manifests/folders/set-aside';
import { sourcesOf, sourcesOfRoot, type Source, type Sources as FoundSources } from '../manifests/folders/sources';
import { isLater } from '../manifests/later/variables';
import { readLimited } from '../manifests/read-limited';
import { readSourceText, type SourceText } from '../manifests/source-text';
import type { Problem } from '../output/problem';

/** Characters of a file, from the first up to and without the last. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A place that names an API version of an Azure kind: an object, or a reference in one of another kind (Flux's `healthChecks`). */
export interface VersionUse {
  /** File name, or `cluster`. */
  readonly file: string;
  /** Counted from 1; 0 for an object of a cluster. */
  readonly line: number;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Whether its object may have more than is written here: of a patch, a kustomization or a template. */
  readonly isPartial?: boolean;
  /** Undefined for a mere reference. */
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
  /** The whole object, where it is alone in a document of YAML, which can be replaced. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  /** Line of a field below the use, or of what is around it. */
  lineOf(path: FieldPath): number;
  /** Where the value of a field is written; undefined in a cluster, or where an alias stands for it. */
  rangeOf(path: FieldPath): TextRange | undefined;
  /** Where a field and its value are written in a map of block style, as whole lines. */
  linesOf(path: FieldPath): TextRange | undefined;
  /** Where the name of a field is written. */
  keyRangeOf(path: FieldPath): TextRange | undefined;
  /** The text of a range of the file. */
  textAt(range: TextRange): string;
}

/** A file as it was read. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly uses: readonly VersionUse[];
  /** Objects of all kinds, for settings of the operator. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

export interface Sources {
  readonly files: readonly SourceFile[];
  readonly problems: readonly Problem[];
  /** Files that were left aside: no mistakes. */
  readonly notes?: readonly Problem[];
}

const AZURE_GROUP = /^[a-z0-9.]+\.azure\.com$/;

/**
 * Reads files and directories of manifests as they are written: bases, patches and templates have versions too. Never throws for
 * what a file contains.
 * @param isRecursive directories with all that is below them
 */
export function readSources(paths: readonly string[], isRecursive = false): Sources {
  const files = new Map<string, SourceFile>();
  const problems: Problem[] = [];
  const notes: Problem[] = [];
  for (const path of paths) {
    const aside: string[] = [];
    for (const found of sourcesAt(path, isRecursive)) {
      problems.push(...found.problems);
      notes.push(...found.notes);
      for (const source of found.sources) readSource(source, files, problems, aside);
    }
    notes.push(...asideNote(path, aside));
  }
  return { files: [...files.values()], problems, notes };
}

function sourcesAt(path: string, isRecursive: boolean): FoundSources[] {
  if (!isRecursive || !isDirectory(path)) return [sourcesOf(path, { asWritten: true })];
  const { roots, problems } = rootsIn(path);
  return [...roots.map((root) => sourcesOfRoot(root, { asWritten: true })), { sources: [], problems, notes: [] }];
}

/** A base of several overlays is read once. */
function readSource(source: Source, files: Map<string, SourceFile>, problems: Problem[], aside: string[]): void {
  const isInput = source.file === STANDARD_INPUT;
  const file = isInput ? '<stdin>' : source.file;
  const key = isInput ? file : resolve(file);
  if (files.has(key)) return;
  try {
    const text = readLimited(isInput ? 0 : file);
    if (source.role === 'found' && hasContent(text) && (!mayHaveObjects(text) || isLeftAside(readSourceText(text, file)))) return void aside.push(file);
    files.set(key, sourceFile(text, file, problems, source.isPartial ?? source.role === 'patch'));
  } catch (error) {
    problems.push(unreadable(file, error));
  }
}

/**
 * Reads the text of a file. Documents that cannot be parsed are problems, and the others are read.
 * @param isPartial whether its objects may have more than is written here
 */
export function sourceFile(text: string, file: string, problems: Problem[], isPartial = false): SourceFile {
  const uses: VersionUse[] = [];
  const objects: Record<string, unknown>[] = [];
  // The parser skips a byte order mark, and counts it: places are those of the file.
  const source = readSourceText(text, file);
  problems.push(...source.problems);
  const reading = { source, problems, uses, objects, isPartial: isPartial || source.controlLines !== undefined };
  for (const { value, document } of source.documents) collect(value, [], { ...reading, document });
  return { file, text, uses, objects };
}

interface Reading {
  readonly source: SourceText;
  readonly document: Document.Parsed;
  readonly problems: Problem[];
  readonly uses: VersionUse[];
  readonly objects: Record<string, unknown>[];
  readonly isPartial: boolean;
}

function collect(value: unknown, path: FieldPath, reading: Reading): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, [...path, index], reading));
    return;
  }
  if (!isRecord(value)) return;
  const { apiVersion, kind } = value;
  const use = isLater(apiVersion) ? undefined : useOf(value, path, reading);
  if (use) reading.uses.push(use);
  if (typeof kind === 'string' && isLater(apiVersion) && isOfAzure(apiVersion, kind)) reading.problems.push(versionLater(apiVersion, kind, path, reading));
  if (typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata)) reading.objects.push(value);
  for (const [key, inner] of Object.entries(value)) collect(inner, [...path, key], reading);
}

function isOfAzure(apiVersion: string, kind: string): boolean {
  return apiVersion.includes('azure.com') || Catalog.default().allKinds.some((one) => one.kind === kind);
}

/** `{{ .Values.version }}` may be a version that goes. */
function versionLater(apiVersion: string, kind: string, path: FieldPath, { source, document }: Reading): Problem {
  const range = rangeOfNode(nodeAt(document.contents, path));
  return {
    file: source.file,
    line: range && source.lineAt(range.from),
    object: kind,
    field: 'apiVersion',
    message: `${apiVersion} comes later`,
    fix: 'give manifests as they are applied: what helm template or kubectl kustomize prints',
  };
}

function useOf(value: Record<string, unknown>, path: FieldPath, { source, document, isPartial }: Reading): VersionUse | undefined {
  const { apiVersion, kind, metadata, spec } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const [group = '', version = ''] = apiVersion.split('/');
  if (version === '' || !(AZURE_GROUP.test(group) || isDroppedGroup(group))) return undefined;
  const isObject = isRecord(metadata);
  const own = isObject ? metadata : value;
  const nodeOf = (field: FieldPath) => nodeAt(document.contents, [...path, ...field]);
  // A template is read as other text than it is: a range is that of the file where both have the same line.
  const inFile = (range: TextRange | undefined): TextRange | undefined => {
    const [from, to] = [range?.from, range?.to].map((offset) => (offset === undefined ? undefined : source.offsetInFile(offset)));
    return from === undefined || to === undefined ? undefined : { from, to };
  };
  const lineOf = (field: FieldPath): number => {
    for (let length = field.length; length >= 0; length -= 1) {
      const range = nodeOf(field.slice(0, length))?.range;
      if (range) return source.lineAt(range[0]);
    }
    return 1;
  };
  return {
    file: source.file,
    line: lineOf(['apiVersion']),
    group,
    version,
    kind,
    namespace: textOf(own, 'namespace'),
    name: textOf(own, 'name'),
    annotations: isObject && isRecord(metadata.annotations) ? metadata.annotations : {},
    spec: isObject && isRecord(spec) ? spec : undefined,
    document: isObject && path.length === 0 && !source.file.endsWith('.json') ? value : undefined,
    lineOf,
    isPartial,
    rangeOf: (field) => inFile(rangeOfNode(nodeOf(field))),
    keyRangeOf: (field) => inFile(rangeOfNode(pairAt(document.contents, [...path, ...field])?.key)),
    linesOf: (field) => inFile(linesOfPair(pairAt(document.contents, [...path, ...field]), source.text)),
    textAt: ({ from, to }) => source.written.slice(from, to),
  };
}

/** The node at a path; undefined where an alias or a merge key stands for it, which other places share. */
function nodeAt(root: unknown, path: FieldPath): Node | undefined {
  let node: unknown = root;
  for (const segment of path) {
    if (isMap(node)) node = pairIn(node, segment)?.value;
    else if (isSeq(node)) node = node.items[Number(segment)];
    else return undefined;
  }
  return isNode(node) && !isAlias(node) ? node : undefined;
}

function pairAt(root: unknown, path: FieldPath): Pair | undefined {
  const map = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  return isMap(map) && last !== undefined ? pairIn(map, last) : undefined;
}

function pairIn(map: YAMLMap, key: string | number): Pair | undefined {
  return map.items.findLast((item) => isScalar(item.key) && item.key.value === String(key));
}

function rangeOfNode(node: unknown): TextRange | undefined {
  return isNode(node) && !isAlias(node) && node.range ? { from: node.range[0], to: node.range[1] } : undefined;
}

/** Undefined where other text stands on the first or the last of its lines, as in flow style and JSON. */
function linesOfPair(pair: Pair | undefined, source: string): TextRange | undefined {
  const [key, value] = [rangeOfNode(pair?.key), pair?.value];
  if (!key || !isNode(value) || !value.range) return undefined;
  const from = source.lastIndexOf('\n', key.from - 1) + 1;
  const newline = source.indexOf('\n', value.range[1]);
  const to = newline < 0 ? source.length : newline + 1;
  const isAlone = source.slice(from, key.from).trim() === '' && /^\s*(?:#[^\n]*)?$/.test(source.slice(value.range[1], newline < 0 ? to : newline));
  return isAlone ? { from, to } : undefined;
}
