import { Composer, Document, isMap, isNode, isPair, isScalar, isSeq, Lexer, Parser, YAMLParseError, type CST, type DocumentOptions, type ParseOptions, type SchemaOptions } from 'yaml';

/** Deeper than any manifest, far from what would use up the stack of the program, and few enough that code for all of it is printed at once. */
const DEEPEST = 250;

/** A text is nested more deeply than it is read. */
export class TooDeep extends Error {
  public constructor() {
    super(`is nested more than ${DEEPEST} levels deep`);
    this.name = 'TooDeep';
  }
}

export type YamlOptions = Omit<ParseOptions, 'prettyErrors' | 'uniqueKeys'> & DocumentOptions & SchemaOptions;

/**
 * All documents of a text, each with its first mistake at most: a text can have a mistake in every few characters, and errors cost more than values.
 * That is in time that grows with the length of the text, which the parser's own way is not where a map has many keys.
 *
 * @throws TooDeep
 */
export function documentsOf(text: string, options: YamlOptions): Document.Parsed[] {
  return withoutStacks(() => [...readDocuments(text, options)]);
}

/**
 * The first document of a text. What stands behind it is not read.
 *
 * @throws TooDeep
 */
export function firstDocumentOf(text: string, options: YamlOptions): Document.Parsed | undefined {
  return withoutStacks(() => readDocuments(text, options).next().value ?? undefined);
}

function* readDocuments(text: string, options: YamlOptions): Generator<Document.Parsed, undefined> {
  for (const document of composed(text, { ...options, prettyErrors: false, uniqueKeys: false })) {
    document.errors.splice(1);
    const twice = document.errors.length === 0 ? keyTwice(document) : undefined;
    if (twice !== undefined) document.errors.push(new YAMLParseError([twice, twice + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
    yield document;
  }
  return undefined;
}

function* composed(text: string, options: ParseOptions & DocumentOptions & SchemaOptions): Generator<Document.Parsed> {
  let composer = stoppingComposer(options);
  let failed: Document.Parsed | undefined;
  let isLost = false;
  for (const token of tokensOf(text, options)) {
    // After a mistake, what is left of a document says nothing more.
    if (isLost && token.type !== 'document' && token.type !== 'directive') continue;
    if (failed) failed.range = [failed.range[0], token.offset, token.offset];
    failed = undefined;
    isLost = token.type === 'error';
    try {
      yield* composer.next(token);
    } catch (error) {
      if (!(error instanceof YAMLParseError)) throw error;
      isLost = true;
      // Mistakes before the document are its own as well, not those of the one before it.
      const [first = error] = composer.streamInfo().errors.splice(0);
      failed = failedDocument(token, first, text, options);
    }
    if (isLost) yield* composer.end();
    if (!failed) continue;
    composer = stoppingComposer(options);
    yield failed;
  }
  yield* composer.end();
}

/**
 * The documents of a text and what stands between them. To compose a document takes the stack, which cannot be caught when it is used up: Node may
 * end then, in the middle of a regular expression. To parse it does not, so that is where levels are counted: one or, for a key, two a level.
 */
function* tokensOf(text: string, { lineCounter }: ParseOptions): Generator<CST.Token> {
  const parser = new Parser(lineCounter?.addNewLine);
  lineCounter?.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > DEEPEST) throw new TooDeep();
  }
  yield* parser.end();
}

/** Where a mistake is: an offset, a range, or a token. */
type Source = number | [number, number] | { readonly offset: number; readonly source?: unknown };
type OnError = (source: Source, code: YAMLParseError['code'], message: string, isWarning?: boolean) => void;

/** A composer that throws the first mistake within a document instead of collecting all. The member that it replaces is not in its documentation. */
function stoppingComposer(options: ParseOptions & DocumentOptions & SchemaOptions): Pick<Composer, 'next' | 'end' | 'streamInfo'> {
  const composer = new Composer(options);
  const collecting = composer as unknown as { onError: OnError };
  const collect = collecting.onError;
  let first: YAMLParseError | undefined;
  const stop: OnError = (source, code, message, isWarning) => {
    if (isWarning) return;
    // The composer catches what is thrown within a collection and tells of it as another mistake.
    throw (first ??= new YAMLParseError(placeOf(source), code, message));
  };
  return {
    next: (token) => {
      // Mistakes in directives belong to a document that comes later.
      first = undefined;
      collecting.onError = token.type === 'document' ? stop : collect;
      return composer.next(token);
    },
    end: () => composer.end(),
    streamInfo: () => composer.streamInfo(),
  };
}

function placeOf(source: Source): [start: number, end: number] {
  if (typeof source === 'number') return [source, source + 1];
  if (Array.isArray(source)) return [source[0], source[1]];
  return [source.offset, source.offset + (typeof source.source === 'string' ? source.source.length : 1)];
}

function failedDocument({ offset }: CST.Token, error: YAMLParseError, text: string, options: DocumentOptions): Document.Parsed {
  const document = new Document(undefined, options);
  document.errors.push(error);
  return Object.assign(document, { range: [offset, text.length, text.length], directives: document.directives! }) as unknown as Document.Parsed;
}

/** Where a key stands that the same map has before it. */
function keyTwice(document: Document.Parsed): number | undefined {
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.value, node.key);
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const pair of node.items) {
      open.push(pair);
      const { key } = pair;
      if (!isScalar(key)) continue;
      if (keys.has(key.value)) return isNode(key) ? key.range?.[0] ?? 0 : 0;
      keys.add(key.value);
    }
  }
  return undefined;
}

function withoutStacks<T>(act: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return act();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
