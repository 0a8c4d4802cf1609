import { KubectlError, type YamlFault } from '../../engine/yaml/go-syntax';
import { NodeError, TooLarge, type DuplicateKey, type FillScalar } from '../../engine/yaml/node-value';
import { readYaml, type YamlDocument } from '../../engine/yaml/read-yaml';
import { TooDeep } from '../../engine/yaml/yaml-documents';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord } from '../../src/util/records';
import { oneLine, type Problem } from '../output/problem';

/** The text of a file, as kubectl reads it: all that commands know of files begins here. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** With values, and with nodes for places and comments. Empty where the text as a whole cannot be read. */
  readonly documents: readonly YamlDocument[];
  /** Documents that are not read, and keys that are written twice. */
  readonly problems: readonly Problem[];
  /** Line of a character, counted from 1. */
  lineAt(offset: number): number;
  /** The problem of a document that is not read. */
  problemOf(fault: YamlFault): Problem;
  /** The problem of a key that is written twice. */
  duplicateOf(duplicate: DuplicateKey): Problem;
}

/**
 * Reads the text of a file. Never throws for what it contains.
 * @param fill the values of scalars whose variables are filled in
 */
export function readSourceText(text: string, file: string, fill?: FillScalar): SourceText {
  const lineAt = lineCounter(text);
  const problemOf = ({ offset, error }: YamlFault): Problem => ({ file, line: lineAt(offset), ...faultMessage(text, error) });
  const duplicateOf = ({ key, offset }: DuplicateKey) => duplicateKey(file, lineAt(offset), key);
  let documents: YamlDocument[];
  try {
    documents = readYaml(text, fill);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { file, text, documents: [], problems: [{ file, ...faultMessage(text, error) }], lineAt, problemOf, duplicateOf };
  }
  const problems = documents.flatMap(({ fault, duplicates }) => [
    ...(fault ? [problemOf(fault)] : []),
    ...duplicates.map(duplicateOf),
  ]);
  return { file, text, documents, problems, lineAt, problemOf, duplicateOf };
}

function duplicateKey(file: string, line: number, key: string): Problem {
  return {
    file,
    line,
    rule: 'duplicate-key',
    message: `the key ${oneLine(key)} is written twice in one map; the last one counts`,
    why: 'kubectl takes the last one without a word, and what the first one says is lost',
    fix: 'leave one of the two out',
  };
}

/** An object of a document: itself, or an item of a list, with its place in the document. */
export interface SourceObject {
  readonly value: unknown;
  readonly path: FieldPath;
}

/** The objects of a document: itself, or those of the list that it is. */
export function* objectsIn(value: unknown, path: FieldPath = []): Generator<SourceObject> {
  const items = listItems(value);
  if (!items) {
    yield { value, path };
    return;
  }
  for (const [index, item] of items.entries()) yield* objectsIn(item, [...path, 'items', index]);
}

/** The items of a list of objects. Those without apiVersion and kind have the list's: a `ResourceGroupList` has resource groups. */
export function listItems(value: unknown): unknown[] | undefined {
  if (!isRecord(value) || !Array.isArray(value.items) || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') return undefined;
  const { apiVersion } = value;
  const kind = value.kind.replace(/List$/, '');
  const isBare = (item: unknown) => isRecord(item) && (item.kind ?? '') === '' && (item.apiVersion ?? '') === '';
  return value.items.map((item: unknown) => (kind !== '' && isBare(item) ? { ...(item as object), apiVersion, kind } : item));
}

function faultMessage(text: string, error: Error): { message: string; fix: string } {
  if (error instanceof TooLarge) return { message: error.message, fix: 'write the values out, without anchors' };
  if (error instanceof TooDeep) return { message: error.message, fix: 'give Kubernetes objects' };
  if (error instanceof KubectlError) return { message: error.message, fix: error.fix };
  const refused = error instanceof NodeError ? 'kubectl cannot read it' : 'is neither YAML nor JSON';
  const message = `${refused}: ${oneLine(error.message)}`;
  if (looksLikeTemplate(text)) {
    return { message, fix: 'it looks like a template: give what it renders to, e.g. what `helm template` prints' };
  }
  return { message, fix: 'correct the syntax' };
}

/** `{{ … }}`; a pattern would take the square of the time on a text of braces. */
function looksLikeTemplate(text: string): boolean {
  const opened = text.indexOf('{{');
  return opened >= 0 && text.includes('}}', opened + 2);
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
