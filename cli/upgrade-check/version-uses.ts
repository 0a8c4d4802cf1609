import { resolve } from 'node:path';
import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { FillScalar } from '../../engine/yaml/node-value';
import { Catalog, isDroppedGroup } from '../../src/catalog';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { parseApiVersion } from '../../src/object-id';
import { isRecord, text as textOf } from '../../src/util/records';
import { isDirectory, STANDARD_INPUT, unreadable } from '../manifests/folders/files';
import { KnownKustomizations } from '../manifests/folders/known-kustomizations';
import { rootsIn } from '../manifests/folders/roots';
import { asideNote, hasContent, isLeftAside, mayHaveObjects } from '../manifests/folders/set-aside';
import { sourcesOf, sourcesOfRoot, type Source, type Sources as FoundSources } from '../manifests/folders/sources';
import { innerObjects, type InsideOptions } from '../manifests/inside/inner-objects';
import type { InnerObject, Inside } from '../manifests/inside/inside';
import { KnownValues } from '../manifests/later/known-values';
import { isLater } from '../manifests/later/variables';
import { readLimited } from '../manifests/read-limited';
import { objectsIn, readSourceText, type SourceText } from '../manifests/source-text';
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
  /** The object that it is in. */
  readonly inside?: Inside;
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

interface ReadOptions extends InsideOptions {
  /** Directories with all that is below them. */
  readonly isRecursive?: boolean | undefined;
  /** Of the variables in the files; those that Flux's objects in the files substitute are known as well. */
  readonly values?: KnownValues | undefined;
}

interface TextOptions extends InsideOptions {
  readonly fill?: FillScalar | undefined;
}

/**
 * Reads files and directories of manifests as they are written: bases, patches and templates have versions too. Never throws for
 * what a file contains.
 */
export function readSources(paths: readonly string[], { values = new KnownValues(new Map()), ...options }: ReadOptions = {}): Sources {
  const texts = new Map<string, string>();
  const read = readPaths(paths, texts, options);
  const known = values.withFlux(read.files.flatMap(({ objects }) => objects as readonly unknown[] as KubernetesObject[]));
  return known.isEmpty ? read : readPaths(paths, texts, { ...options, fill: (...scalar) => known.fill(...scalar) });
}

/** @param texts of files that were read: a standard input is read once */
function readPaths(
  paths: readonly string[], texts: Map<string, string>, { isRecursive = false, ...options }: Omit<ReadOptions, 'values'> & TextOptions,
): Sources {
  const files = new Map<string, SourceFile>();
  const problems: Problem[] = [];
  const notes: Problem[] = [];
  for (const path of paths) {
    const aside: string[] = [];
    for (const found of sourcesAt(path, isRecursive)) {
      problems.push(...found.problems);
      notes.push(...found.notes);
      for (const source of found.sources) readSource(source, { files, problems, aside, texts }, options);
    }
    notes.push(...asideNote(path, aside));
  }
  return { files: [...files.values()], problems, notes };
}

function sourcesAt(path: string, isRecursive: boolean): FoundSources[] {
  if (!isRecursive || !isDirectory(path)) return [sourcesOf(path, { asWritten: true })];
  const known = new KnownKustomizations();
  const { roots, problems } = rootsIn(path, known);
  return [...roots.map((root) => sourcesOfRoot(root, { asWritten: true, repository: path }, known)), { sources: [], problems, notes: [] }];
}

interface Collected {
  readonly files: Map<string, SourceFile>;
  readonly problems: Problem[];
  readonly aside: string[];
  readonly texts: Map<string, string>;
}

/** A base of several overlays is read once. */
function readSource(source: Source, { files, problems, aside, texts }: Collected, options: TextOptions): void {
  const isInput = source.file === STANDARD_INPUT;
  const file = isInput ? '<stdin>' : source.file;
  const key = isInput ? file : resolve(file);
  if (files.has(key)) return;
  try {
    const text = texts.get(key) ?? readLimited(isInput ? 0 : file);
    texts.set(key, text);
    if (source.role === 'found' && hasContent(text) && (!mayHaveObjects(text) || isLeftAside(readSourceText(text, file)))) return void aside.push(file);
    files.set(key, sourceFile(text, file, problems, source.isPartial ?? source.role === 'patch', options));
  } catch (error) {
    problems.push(unreadable(file, error));
  }
}

/**
 * Reads the text of a file. Documents that cannot be parsed are problems, and the others are read.
 * @param isPartial whether its objects may have more than is written here
 */
export function sourceFile(text: string, file: string, problems: Problem[], isPartial = false, options: TextOptions = {}): SourceFile {
  const uses: VersionUse[] = [];
  const objects: Record<string, unknown>[] = [];
  // The parser skips a byte order mark, and counts it: places are those of the file.
  const source = readSourceText(text, file, options.fill);
  const asWritten = options.fill ? readSourceText(text, file) : source;
  problems.push(...source.problems);
  for (const [index, document] of source.documents.entries()) {
    const seen = new Set<unknown>();
    for (const { value, path } of objectsIn(document.value)) {
      const inner = innerObjects({ value, path, document, source }, options);
      problems.push(...inner.problems);
      for (const one of inner.objects) {
        seen.add(one.inside.written);
        const isPart = isPartial || one.source.controlLines !== undefined;
        if (isRecord(one.value)) uses.push(...useOf(one.value, { ...one, outer: source, isPartial: isPart }));
      }
    }
    const placeOf = (field: FieldPath) => field;
    const written = asWritten.documents[index]?.value;
    const place = { document, written, source, outer: source, placeOf, isPartial: isPartial || source.controlLines !== undefined };
    collect(document.value, place, { problems, uses, objects, seen });
  }
  return { file, text, uses, objects };
}

interface Reading {
  readonly problems: Problem[];
  readonly uses: VersionUse[];
  readonly objects: Record<string, unknown>[];
  /** Values that objects in others were read from. */
  readonly seen: ReadonlySet<unknown>;
}

/** A value and its place: an object, one in another, or a mere mention of one. */
interface Place extends Omit<InnerObject, 'value' | 'inside'>, Partial<Pick<InnerObject, 'inside'>> {
  /** The file: `source` may be a text in it. */
  readonly outer: SourceText;
  /** The value of the document with its variables. */
  readonly written?: unknown;
  readonly isPartial: boolean;
}

/** Objects, and what names the type of one: `healthChecks` of Flux, objects in objects of kinds that are not known. */
function collect(value: unknown, place: Place, reading: Reading): void {
  const into = (inner: unknown, key: string | number) => {
    collect(inner, { ...place, placeOf: (field) => place.placeOf([key, ...field]) }, reading);
  };
  if (Array.isArray(value)) {
    value.forEach(into);
    return;
  }
  if (!isRecord(value)) return;
  const { apiVersion, kind } = value;
  if (!isLater(apiVersion) && !reading.seen.has(value)) reading.uses.push(...useOf(value, place));
  if (typeof kind === 'string' && isLater(apiVersion) && isOfAzure(apiVersion, kind)) reading.problems.push(versionLater(apiVersion, kind, place));
  if (typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata)) reading.objects.push(value);
  for (const [key, inner] of Object.entries(value)) into(inner, key);
}

function isOfAzure(apiVersion: string, kind: string): boolean {
  return apiVersion.includes('azure.com') || Catalog.default().allKinds.some((one) => one.kind === kind);
}

/** `{{ .Values.version }}` may be a version that goes. */
function versionLater(apiVersion: string, kind: string, { source, document, placeOf }: Place): Problem {
  const range = rangeOfNode(nodeAt(document.document.contents, placeOf([])));
  return {
    file: source.file,
    line: range && source.lineAt(range.from),
    object: kind,
    field: 'apiVersion',
    message: `${apiVersion} comes later`,
    fix: 'give manifests as they are applied: what helm template or kubectl kustomize prints',
  };
}

function useOf(value: Record<string, unknown>, place: Place): VersionUse[] {
  const { source, document: { document }, written, inside, outer, placeOf, isPartial } = place;
  const { apiVersion, kind, metadata, spec } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const { group, version } = parseApiVersion(apiVersion);
  if (version === '' || !(AZURE_GROUP.test(group) || isDroppedGroup(group))) return [];
  const isObject = isRecord(metadata);
  const own = isObject ? metadata : value;
  const nodeOf = (field: FieldPath) => nodeAt(document.contents, placeOf(field));
  const pairOf = (field: FieldPath) => pairAt(document.contents, placeOf(field));
  const lineOf = (field: FieldPath): number => {
    for (let length = field.length; length >= 0; length -= 1) {
      const range = nodeOf(field.slice(0, length))?.range;
      if (range) return source.lineAt(range[0]);
    }
    return 1;
  };
  return [{
    file: source.file,
    line: lineOf(['apiVersion']),
    ...(inside && { inside }),
    group,
    version,
    kind,
    namespace: textOf(own, 'namespace'),
    name: textOf(own, 'name'),
    annotations: isObject && isRecord(metadata.annotations) ? metadata.annotations : {},
    spec: isObject && isRecord(spec) ? spec : undefined,
    document: isObject && !inside && placeOf([]).length === 0 && !source.file.endsWith('.json') && isRecord(written) ? written : undefined,
    lineOf,
    isPartial,
    rangeOf: (field) => rangeInFile(rangeOfNode(nodeOf(field)), source),
    keyRangeOf: (field) => rangeInFile(rangeOfNode(pairOf(field)?.key), source),
    linesOf: (field) => linesInFile(withoutControl(linesOfPair(pairOf(field), source.text), source), source, outer.written),
    textAt: ({ from, to }) => outer.written.slice(from, to),
  }];
}

/** A template, or a text, is read as other text than it is: a range is that of the file where both have the same line. */
function rangeInFile(range: TextRange | undefined, source: SourceText): TextRange | undefined {
  const [from, to] = [range && source.offsetInFile(range.from), range && source.offsetInFile(range.to)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Lines of a template, unless some of them decide over others. */
function withoutControl(range: TextRange | undefined, source: SourceText): TextRange | undefined {
  if (!range || !source.controlLines) return range;
  const [first, last] = [source.lineAt(range.from), source.lineAt(range.to - 1)];
  return Array.from(source.controlLines).some((line) => line >= first && line <= last) ? undefined : range;
}

/** Whole lines of a text, as whole lines of its file. */
function linesInFile(range: TextRange | undefined, source: SourceText, file: string): TextRange | undefined {
  const found = range && rangeInFile({ from: range.from, to: range.to - 1 }, source);
  if (!found) return undefined;
  const newline = file.indexOf('\n', found.to);
  return { from: found.from === 0 ? 0 : file.lastIndexOf('\n', found.from - 1) + 1, to: newline < 0 ? file.length : newline + 1 };
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
