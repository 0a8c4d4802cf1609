import {
  Composer,
  Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  YAMLParseError,
  type CST,
  type DocumentOptions,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';

/** Maximum nesting: deeper than any manifest, shallow enough for the stack, and for printing code for all of it at once. */
const DEEPEST = 250;

/** The text exceeds the maximum nesting. */
export class TooDeep extends Error {
  public constructor() {
    super(`is nested more than ${DEEPEST} levels deep`);
    this.name = 'TooDeep';
  }
}

export type YamlOptions = Omit<ParseOptions, 'prettyErrors' | 'uniqueKeys'> & DocumentOptions & SchemaOptions & {
  /** Keys that occur twice in a map are the reader's to find. */
  readonly keepsDuplicateKeys?: boolean;
};

/**
 * All documents of a text, each with its first error at most: a text can have an error every few characters, and errors cost more than
 * values. The time grows with the length of the text, which the parser's own check does not achieve for maps with many keys.
 *
 * @throws TooDeep
 */
export function documentsOf(text: string, options: YamlOptions): Document.Parsed[] {
  return withoutStacks(() => [...readDocuments(text, options)]);
}

/**
 * The first document of a text. The rest is not read.
 *
 * @throws TooDeep
 */
export function firstDocumentOf(text: string, options: YamlOptions): Document.Parsed | undefined {
  return withoutStacks(() => readDocuments(text, options).next().value ?? undefined);
}

function* readDocuments(text: string, options: YamlOptions): Generator<Document.Parsed, undefined> {
  for (const document of composed(text, { ...options, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })) {
    document.errors.splice(1);
    const twice = document.errors.length === 0 && options.keepsDuplicateKeys !== true ? keyTwice(document) : undefined;
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
    // After an error, the rest of a document is meaningless.
    if (isLost && token.type !== 'document' && token.type !== 'directive') continue;
    if (failed) failed.range = [failed.range[0], token.offset, token.offset];
    failed = undefined;
    isLost = token.type === 'error';
    try {
      yield* composer.next(token);
    } catch (error) {
      if (!(error instanceof YAMLParseError)) throw error;
      isLost = true;
      // Errors before the document belong to it, not to the previous document.
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
 * The documents of a text and the tokens between them. Composing a document recurses, and a stack overflow cannot be caught reliably: Node
 * may exit then, in the middle of a regular expression. Parsing does not recurse, so levels are counted there: one or, for a key, two per
 * level.
 */
function* tokensOf(text: string, { lineCounter }: ParseOptions): Generator<CST.Token> {
  const parser = new Parser(lineCounter?.addNewLine);
  lineCounter?.addNewLine(0);
  for (const lexeme of new GoLexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > DEEPEST) throw new TooDeep();
  }
  yield* parser.end();
}

/** Go's YAML library does not ask for indentation within brackets and quotes. The members are private in the package's types. */
const GoLexer = class extends (Lexer as unknown as new () => LexerMembers) {
  public override *parseFlowCollection(): ReturnType<LexerMembers['parseFlowCollection']> {
    return yield* this.withoutIndentation(super.parseFlowCollection());
  }

  public override *parseQuotedScalar(): ReturnType<LexerMembers['parseQuotedScalar']> {
    return yield* this.withoutIndentation(super.parseQuotedScalar());
  }

  private *withoutIndentation(lexemes: Generator<string, unknown>): Generator<string, unknown> {
    const { indentNext } = this;
    this.indentNext = 0;
    const next = yield* lexemes;
    this.indentNext = indentNext;
    return next;
  }
};

interface LexerMembers {
  indentNext: number;
  lex(source: string): Generator<string>;
  parseFlowCollection(): Generator<string, unknown>;
  parseQuotedScalar(): Generator<string, unknown>;
}

/** The place of an error: an offset, a range, or a token. */
type Source = number | [number, number] | { readonly offset: number; readonly source?: unknown };
type OnError = (source: Source, code: YAMLParseError['code'], message: string, isWarning?: boolean) => void;

/** A composer that throws the first error within a document instead of collecting all. The member that it replaces is undocumented. */
function stoppingComposer(options: ParseOptions & DocumentOptions & SchemaOptions): Pick<Composer, 'next' | 'end' | 'streamInfo'> {
  const composer = new Composer(options);
  // The member is private in the package's types.
  const collecting = composer as unknown as { onError: OnError };
  const collect = collecting.onError;
  let first: YAMLParseError | undefined;
  const stop: OnError = (source, code, message, isWarning) => {
    if (isWarning) return;
    // The composer catches exceptions within a collection and reports each as another error.
    throw (first ??= new YAMLParseError(placeOf(source), code, message));
  };
  return {
    next: (token) => {
      // Errors in directives belong to the next document.
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
  return Object.assign(document, {
    range: [offset, text.length, text.length],
    directives: document.directives!,
    // The type is that of a document with contents, which a failed one lacks.
  }) as unknown as Document.Parsed;
}

/** Offset of a key that occurs twice in one map. */
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
