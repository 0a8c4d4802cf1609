import { isAlias, isMap, isScalar, isSeq, visit, type Document, type Node } from 'yaml';
import { aroundDocument, Comments } from './comments';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { FillScalar } from '../../engine/yaml/node-value';
import type { YamlDocument } from '../../engine/yaml/read-yaml';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord, isText } from '../../src/util/records';
import { nothingIn, STANDARD_INPUT, unreadable } from '../manifests/folders/files';
import type { Folders } from '../manifests/folders/folder-options';
import { withToolTime } from '../manifests/folders/run-tool';
import { asideNote, hasContent, isLeftAside, mayHaveObjects } from '../manifests/folders/set-aside';
import { sourcesOf, type Source } from '../manifests/folders/sources';
import { innerObjects, isAzure } from '../manifests/inside/inner-objects';
import { KnownValues } from '../manifests/later/known-values';
import { decodeText, readBytes, utf16Of } from '../manifests/read-limited';
import { listItems, readSourceText, type SourceText } from '../manifests/source-text';
import { oneLine, type Problem } from '../output/problem';

/** An object in a file. */
export interface SourceObject {
  readonly file: string;
  /** Line number from 1. */
  readonly line: number;
  readonly object: Readonly<Record<string, unknown>>;
  readonly comments: Comments;
  /** The Azure objects in it, and what stands beside them. */
  readonly inside?: readonly InsideObject[];
  /** Whether the file writes a value without quotes; undefined where nothing tells. */
  isPlain?(path: FieldPath): boolean | undefined;
}

/** An object in an object. */
export interface InsideObject {
  readonly kind: string;
  /** From the object that holds it. */
  readonly path: FieldPath;
  readonly isAzure: boolean;
  /** Whether it is what is applied: no template, and nothing that others change. */
  readonly isApplied: boolean;
}

/** A document that could not be read as an object, with its text, so that the text is not lost. */
export interface Unreadable {
  /** Absent for comments that belong to no object. */
  readonly problem?: Problem;
  readonly text: string;
}

export interface Sources {
  /** The files that were read. */
  readonly files: string[];
  readonly objects: SourceObject[];
  readonly unreadable: Unreadable[];
  /** Problems with files that have no content to keep, e.g. missing files. */
  readonly problems: Problem[];
  /** Values that were read but not exactly as written. */
  readonly notes: Problem[];
  /** The values that Flux would give variables, by name. */
  readonly substitutions?: ReadonlyMap<string, string>;
}

/**
 * Reads the files that `kubectl apply -f` would read. Does not throw because of their content.
 * @param values that are filled in; those that Flux's objects in the files substitute are read beside
 */
export function readSources(
  paths: readonly string[], standardInput: () => string | Buffer, values: KnownValues = new KnownValues(new Map()), folders: Folders = {},
): Sources {
  let input: string | Buffer | undefined;
  const once = () => (input ??= standardInput());
  const timed = { ...folders, limits: withToolTime(folders.limits) };
  const found = paths.map((path) => ({ path, ...sourcesOf(path, timed) }));
  const read = readFound(found, once);
  const objects = read.objects.flatMap(({ object }) => (isRecord(object.metadata) ? [object as unknown as KubernetesObject] : []));
  const { substitutions } = values.withFlux(objects);
  return { ...(values.isEmpty ? read : readFound(found, once, (...scalar) => values.fill(...scalar))), substitutions };
}

type FoundSources = ReturnType<typeof sourcesOf> & { readonly path: string };

function readFound(found: readonly FoundSources[], standardInput: () => string | Buffer, fill?: FillScalar): Sources {
  const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
  for (const { path, sources: texts, problems, notes } of found) {
    const before = countOf(sources);
    const aside: string[] = [];
    sources.problems.push(...problems);
    sources.notes.push(...notes);
    for (const source of texts) {
      if (source.built) readText(source.built.by === 'kustomize' ? source.built.build.text : source.built.text, source.file, sources, fill);
      else readSource(source, standardInput, sources, aside, fill);
    }
    sources.notes.push(...asideNote(path, aside));
    if (countOf(sources) === before) sources.problems.push(...nothingIn(path));
  }
  return sources;
}

function readSource(
  { file, role }: Source, standardInput: () => string | Buffer, sources: Sources, aside: string[], fill: FillScalar | undefined,
): void {
  if (role === 'patch') {
    sources.notes.push({ file, message: 'is a patch, and no object', fix: 'left out: give what the kustomization builds' });
    return;
  }
  const name = file === STANDARD_INPUT ? '<stdin>' : file;
  try {
    const read = file === STANDARD_INPUT ? standardInput() : readBytes(file);
    const text = typeof read === 'string' ? read : decodeText(read);
    if (role === 'found' && hasContent(text) && (!mayHaveObjects(text) || isLeftAside(readSourceText(text, name)))) return void aside.push(name);
    if (typeof read === 'string' || isExact(read, text)) return readText(text, name, sources, fill);
    const problem = { file: name, line: 1, message: 'is no text in UTF-8, and is kept in base64', fix: 'give text in UTF-8' };
    sources.unreadable.push({ problem, text: read.toString('base64').replace(/.{1,100}/g, '$&\n') });
  } catch (error) {
    sources.problems.push(unreadable(name, error));
  }
}

/** Whether every byte has its character in the text. In UTF-16 half a pair has none. */
function isExact(bytes: Buffer, text: string): boolean {
  if (utf16Of(bytes) === undefined) return Buffer.from(text).equals(bytes);
  return bytes.length === 2 * text.length + 2 && !text.includes('\uFFFD');
}

function countOf({ objects, unreadable: kept, problems }: Sources): number {
  return objects.length + kept.filter(({ problem }) => problem !== undefined).length + problems.length;
}

/** Reads the text of one file and adds its objects to the sources. */
export function readText(text: string, file: string, sources: Sources, fill?: FillScalar): void {
  sources.files.push(file);
  const source = readSourceText(text.replace(/^\uFEFF/, ''), file, fill);
  const [problem] = source.problems;
  if (source.documents.length === 0 && problem) sources.unreadable.push({ problem, text: source.written });
  else readDocuments(source, sources);
}

/** Reads documents one after the other; every character of the text belongs to one of them. */
function readDocuments(source: SourceText, sources: Sources): void {
  const { text, documents } = source;
  let header: string | undefined;
  let [start, end] = [0, 0];
  for (const [index, read] of documents.entries()) {
    end = index === documents.length - 1 ? text.length : Math.max(end, read.document.range[2]);
    header = new DocumentReader(source, sources, read, header, source.writtenBetween(start, end)).read();
    // Comments alone are about the next document, and are kept with it where it cannot be read.
    if (header === undefined) start = end;
  }
  const isOnlyComments = documents.length === 0 || header !== undefined;
  const rest = documents.length === 0 ? text : text.slice(start, end);
  if (isOnlyComments && rest.includes('#')) sources.unreadable.push({ text: rest });
}

/** Comments above and below a whole document. */
interface Around {
  readonly above: readonly (string | null | undefined)[];
  readonly below: readonly (string | null | undefined)[];
}

class DocumentReader {
  private readonly file: string;
  private readonly document: Document.Parsed;

  /**
   * @param header comments of documents before that have nothing else
   * @param whole the text of the document, with these comments
   */
  public constructor(
    private readonly source: SourceText,
    private readonly sources: Sources,
    private readonly found: YamlDocument,
    private readonly header: string | undefined,
    private readonly whole: string,
  ) {
    ({ file: this.file } = source);
    ({ document: this.document } = found);
  }

  /** Returns the comments of a document that has no other content: they are about the next document. */
  public read(): string | undefined {
    const { document, whole, source } = this;
    const { value, fault, duplicates } = this.found;
    if (fault) return void this.sources.unreadable.push({ problem: source.problemOf(fault), text: whole });
    this.sources.notes.push(...source.duplicateProblems(duplicates));
    const { above, below } = aroundDocument(document);
    if (value === null || value === undefined) return [this.header, above, below].filter(Boolean).join('\n');
    this.object(value, document.contents, { above: [this.header, above], below: [below] }, []);
    this.imprecise();
    return undefined;
  }

  private object(value: unknown, node: Node | null, remarks: Around, path: FieldPath): void {
    const line = this.lineOf(node);
    const textOf = () => (node?.range ? this.source.writtenBetween(node.range[0], node.range[2]) : JSON.stringify(value));
    if (!isRecord(value)) {
      return this.keep(textOf(), line, 'is not a Kubernetes object', 'give an object with apiVersion, kind and metadata');
    }
    const { apiVersion, kind } = value;
    if (typeof apiVersion !== 'string' || !/^[^/]+(\/[^/]+)?$/.test(apiVersion)) {
      return this.keep(textOf(), line, 'has no apiVersion of the form group/version', 'add it, e.g. resources.azure.com/v1api20200601');
    }
    if (typeof kind !== 'string' || kind === '') return this.keep(textOf(), line, 'has no kind', 'add it, e.g. ResourceGroup');
    const items = listItems(value);
    if (items) return this.list(items, node, remarks, path);
    this.sources.objects.push({
      file: this.file,
      line,
      object: value,
      comments: Comments.of(node, remarks.above, remarks.below),
      inside: this.inside(value, path),
      isPlain: (at) => isPlainAt(node, at),
    });
  }

  private inside(value: unknown, path: FieldPath): InsideObject[] {
    const { objects } = innerObjects({ value, path, document: this.found, source: this.source });
    return objects.map(({ value: inner, inside: { pathOf, isTemplate, isPatched } }) => ({
      kind: isRecord(inner) && isText(inner.kind) ? inner.kind : '',
      path: pathOf([]),
      isAzure: isAzure(inner),
      isApplied: !isTemplate && !isPatched,
    }));
  }

  private list(items: unknown[], node: Node | null, remarks: Around, path: FieldPath): void {
    const list = isMap(node) ? node.get('items', true) : undefined;
    const keys = isMap(node) ? node.items.map(({ key }) => (key as Node).commentBefore) : [];
    const above = [node?.commentBefore, ...keys, isSeq(list) ? list.commentBefore : undefined];
    items.forEach((item, index) => {
      const own = isSeq(list) ? (list.items[index] as Node | undefined) : undefined;
      const inner = own && isAlias(own) ? own.resolve(this.document) : own;
      this.object(item, inner ?? null, {
        above: index === 0 ? [...remarks.above, ...above] : [],
        below: index === items.length - 1 ? [isSeq(list) ? list.comment : undefined, node?.comment, ...remarks.below] : [],
      }, [...path, 'items', index]);
    });
  }

  /** Reports numbers that JavaScript cannot represent exactly. */
  private imprecise(): void {
    visit(this.document, {
      Scalar: (_key, node) => {
        if (typeof node.value !== 'number' || !Number.isInteger(node.value) || Number.isSafeInteger(node.value)) return;
        this.sources.notes.push({
          file: this.file,
          line: this.lineOf(node),
          message: `${oneLine(node.source ?? String(node.value))} becomes ${node.value}: JavaScript has no such number`,
          fix: 'put it in quotes if a text is allowed there',
        });
      },
    });
  }

  private keep(text: string, line: number, message: string, fix: string): void {
    this.sources.unreadable.push({ problem: this.problem(line, message, fix), text });
  }

  private problem(line: number | undefined, message: string, fix: string): Problem {
    return { file: this.file, line, message, fix };
  }

  private lineOf(node: Node | null | undefined): number {
    return node?.range ? this.source.lineAt(node.range[0]) : 1;
  }
}

/** Whether a scalar below a node is written without quotes. */
function isPlainAt(node: Node | null, path: FieldPath): boolean | undefined {
  const found = isMap(node) ? node.getIn(path, true) : undefined;
  return isScalar(found) ? found.type === undefined || found.type === 'PLAIN' : undefined;
}

/** The value at a path in nested objects, or undefined. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined), value);
}
