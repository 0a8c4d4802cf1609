import { Document, isNode, visit, type Node } from 'yaml';
import { faultOfNodes, faultsOfText, isBehindEnd, KubectlError, type YamlFault } from './go-syntax';
import { jsonValues } from './json-values';
import { NodeError, nodeValue, TooLarge, type DuplicateKey, type FillScalar } from './node-value';
import { documentsOf } from './yaml-documents';

/** A document as kubectl reads it. */
export interface YamlDocument {
  /** As in JSON; undefined for a document that has nothing, or is not read. */
  readonly value: unknown;
  /** Its scalars have the values that kubectl gives them, its keys are texts. Ranges are those of the whole text. */
  readonly document: Document.Parsed;
  /** The reason why there is no value. */
  readonly fault?: YamlFault | undefined;
  /** Keys that are written twice in a map: kubectl takes the last one. */
  readonly duplicates: readonly DuplicateKey[];
}

/**
 * The documents of a text, with the values that `kubectl apply -f` sends. Faults of a document do not keep the others from being read. A
 * byte order mark at the beginning is skipped, and counted in places.
 *
 * @param fill the values of scalars whose variables are filled in
 * @throws TooDeep
 */
export function readYaml(text: string, fill?: FillScalar): YamlDocument[] {
  if (!/^\s*\{/.test(text)) return yamlDocuments(text, 0, fill);
  const documents: YamlDocument[] = [];
  let end = 0;
  for (const { value, from, to } of jsonValues(text)) {
    documents.push(jsonDocument(text.slice(from, to), value, from, fill));
    end = to;
  }
  const rest = text.slice(end);
  if (rest.trim() === '' && documents.length > 0) return documents;
  // Behind one object, YAML may follow on another line; behind two, nothing but JSON.
  const isYaml = documents.length === 0 || (documents.length === 1 && /^[^\S\n]*\n/.test(rest));
  return isYaml ? [...documents, ...yamlDocuments(rest, end, fill)] : [...documents, withoutJson(rest, end)];
}

function withoutJson(text: string, offset: number): YamlDocument {
  const error = new KubectlError('is no JSON, and stands behind JSON', 'write the documents as JSON or as YAML, separated by ---');
  return moved(refused({ offset: text.search(/\S/), error }, emptyDocument(text)), offset);
}

function jsonDocument(text: string, value: unknown, offset: number, fill: FillScalar | undefined): YamlDocument {
  const [document = emptyDocument(text)] = parsed(text);
  const { duplicates, value: filled } = decoded(document, text.length, fill);
  return moved({ value: fill && filled !== undefined ? filled : value, document, duplicates }, offset);
}

function yamlDocuments(text: string, offset: number, fill: FillScalar | undefined): YamlDocument[] {
  const faults = [...faultsOfText(text)].sort((a, b) => a.offset - b.offset);
  const documents = parsed(text);
  // A text of comments alone may have faults as well.
  if (documents.length === 0 && (faults.length > 0 || /[\t\r\u0085\u2028\u2029]/.test(text))) documents.push(emptyDocument(text));
  const ends = documents.map((_, index) => documents[index + 1]?.range[0] ?? Infinity);
  let next = 0;
  return documents.map((document, index) => {
    const own = next < faults.length && faults[next]!.offset < ends[index]! ? faults[next] : undefined;
    while (next < faults.length && faults[next]!.offset < ends[index]!) next += 1;
    const start = index === 0 ? 0 : documents[index - 1]!.range[2];
    const fault = own ?? (document.errors.length === 0 ? faultOfNodes(document, text, start) : undefined);
    return moved(documentRead(document, index, fault, (one) => decoded(one, text.length, fill)), offset);
  });
}

function documentRead(
  document: Document.Parsed, index: number, fault: YamlFault | undefined, decode: (document: Document.Parsed) => YamlDocument,
): YamlDocument {
  const [error] = document.errors;
  if (error) return refused({ offset: error.pos[0], error }, document);
  if (isBehindEnd(document, index)) {
    const behind = new KubectlError('stands behind ..., where kubectl reads no further', 'separate documents with ---');
    return refused({ offset: document.range[0], error: behind }, document);
  }
  return fault ? refused(fault, document) : decode(document);
}

/** Scalars stay texts here: `nodeValue` gives them kubectl's values. */
function parsed(text: string): Document.Parsed[] {
  return documentsOf(text, { schema: 'failsafe', merge: false, keepsDuplicateKeys: true, logLevel: 'error' });
}

function decoded(document: Document.Parsed, textLength: number, fill: FillScalar | undefined): YamlDocument {
  try {
    return { ...nodeValue(document, textLength, fill), document };
  } catch (error) {
    if (!(error instanceof NodeError || error instanceof TooLarge)) throw error;
    const offset = error instanceof NodeError ? error.offset : document.contents?.range[0] ?? document.range[0];
    return refused({ offset, error }, document);
  }
}

function refused(fault: YamlFault, document: Document.Parsed): YamlDocument {
  return { value: undefined, document, fault, duplicates: [] };
}

function emptyDocument(text: string): Document.Parsed {
  const document = new Document(undefined, { logLevel: 'error' });
  // The type is that of a document with contents.
  return Object.assign(document, { range: [0, text.length, text.length] }) as unknown as Document.Parsed;
}

/** The document of a part of a text, with places in the whole text. */
function moved(read: YamlDocument, offset: number): YamlDocument {
  if (offset === 0) return read;
  const { document, fault, duplicates } = read;
  const move = (node: Node | Document.Parsed) => {
    if (node.range) node.range = [node.range[0] + offset, node.range[1] + offset, node.range[2] + offset];
  };
  move(document);
  visit(document, { Node: (_, node) => (isNode(node) ? move(node) : undefined) });
  return {
    ...read,
    fault: fault && { ...fault, offset: fault.offset + offset },
    duplicates: duplicates.map(({ key, offset: place }) => ({ key, offset: place + offset })),
  };
}
