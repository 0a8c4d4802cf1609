import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import { isDroppedGroup } from '../../src/catalog';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord, text as textOf } from '../../src/util/records';
import { manifestFiles, unreadable } from '../manifests/manifests';
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
}

const STANDARD_INPUT = '-';
const AZURE_GROUP = /^[a-z0-9.]+\.azure\.com$/;

/** Reads files and directories of manifests. Never throws for what a file contains. */
export function readSources(paths: readonly string[]): Sources {
  const files: SourceFile[] = [];
  const problems: Problem[] = [];
  for (const found of paths.flatMap((path) => manifestFiles(path))) {
    if ('message' in found) {
      problems.push(found);
      continue;
    }
    const file = found.file === STANDARD_INPUT ? '<stdin>' : found.file;
    try {
      files.push(sourceFile(readLimited(found.file === STANDARD_INPUT ? 0 : found.file), file, problems));
    } catch (error) {
      problems.push(unreadable(file, error));
    }
  }
  return { files, problems };
}

/** Reads the text of a file. Documents that cannot be parsed are problems, and the others are read. */
export function sourceFile(text: string, file: string, problems: Problem[]): SourceFile {
  const uses: VersionUse[] = [];
  const objects: Record<string, unknown>[] = [];
  // The parser skips a byte order mark, and counts it: places are those of the file.
  const source = readSourceText(text, file);
  problems.push(...source.problems);
  for (const { value, document } of source.documents) collect(value, [], { source, document, problems, uses, objects });
  return { file, text, uses, objects };
}

interface Reading {
  readonly source: SourceText;
  readonly document: Document.Parsed;
  readonly problems: Problem[];
  readonly uses: VersionUse[];
  readonly objects: Record<string, unknown>[];
}

function collect(value: unknown, path: FieldPath, reading: Reading): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, [...path, index], reading));
    return;
  }
  if (!isRecord(value)) return;
  const use = useOf(value, path, reading);
  if (use) reading.uses.push(use);
  if (typeof value.kind === 'string' && isRecord(value.apiVersion)) reading.problems.push(template(value.kind, path, reading));
  if (typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata)) reading.objects.push(value);
  for (const [key, inner] of Object.entries(value)) collect(inner, [...path, key], reading);
}

/** `{{ .Values.version }}` is a map in YAML. */
function template(kind: string, path: FieldPath, { source, document }: Reading): Problem {
  const range = rangeOfNode(nodeAt(document.contents, path));
  return {
    file: source.file,
    line: range && source.lineAt(range.from),
    object: kind,
    field: 'apiVersion',
    message: 'is not a text',
    fix: 'give manifests as they are applied: what helm template or kubectl kustomize prints',
  };
}

function useOf(value: Record<string, unknown>, path: FieldPath, { source, document }: Reading): VersionUse | undefined {
  const { apiVersion, kind, metadata, spec } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const [group = '', version = ''] = apiVersion.split('/');
  if (version === '' || !(AZURE_GROUP.test(group) || isDroppedGroup(group))) return undefined;
  const isObject = isRecord(metadata);
  const own = isObject ? metadata : value;
  const nodeOf = (field: FieldPath) => nodeAt(document.contents, [...path, ...field]);
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
    rangeOf: (field) => rangeOfNode(nodeOf(field)),
    keyRangeOf: (field) => rangeOfNode(pairAt(document.contents, [...path, ...field])?.key),
    linesOf: (field) => linesOfPair(pairAt(document.contents, [...path, ...field]), source.text),
    textAt: ({ from, to }) => source.text.slice(from, to),
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
