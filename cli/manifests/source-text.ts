import { isTemplate, templateAsYaml, type TemplateText } from './folders/templates';
import { hasVariables, variablesAsYaml } from './folders/variable-lines';
import { lineCounter, offsetsBetween } from './text-lines';
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
  /** As YAML: of a template not quite what is written. */
  readonly text: string;
  /** As it is written. */
  readonly written: string;
  /** With values, and with nodes for places and comments. Empty where the text as a whole cannot be read. */
  readonly documents: readonly YamlDocument[];
  /** Documents that are not read, and keys that are written twice. */
  readonly problems: readonly Problem[];
  /** The values of scalars, with which its documents were read. */
  readonly fill?: FillScalar | undefined;
  /** Lines of a template, counted from 1, that decide or include; undefined for what is no template. */
  readonly controlLines?: ReadonlySet<number>;
  /** Lines that a variable at their beginning may switch off, counted from 1: they may belong to what stands above them. */
  readonly switchLines?: ReadonlySet<number>;
  /** Line of a character, counted from 1. */
  lineAt(offset: number): number;
  /** The part of the file where a part of the text is: of a template with the whole of its first and last line. */
  writtenBetween(from: number, to: number): string;
  /** Where a character of the text stands as it is written; undefined on lines of a template that are not YAML. */
  offsetInFile(offset: number): number | undefined;
  /** The problem of a document that is not read. */
  problemOf(fault: YamlFault): Problem;
  /** The problems of keys that are written twice in one document. */
  duplicateProblems(duplicates: readonly DuplicateKey[]): Problem[];
}

/**
 * Reads the text of a file. Never throws for what it contains.
 * @param fill the values of scalars whose variables are filled in
 */
export function readSourceText(text: string, file: string, fill?: FillScalar): SourceText {
  const source = sourceTextOf(text, file, fill);
  const isYaml = source.documents.length > 0 && source.documents.every(({ fault }) => !fault);
  if (isYaml) return source;
  if (isTemplate(text)) return templateSource(text, file, fill);
  return hasVariables(text) ? variableSource(text, file, fill) ?? source : source;
}

function sourceTextOf(text: string, file: string, fill?: FillScalar): SourceText {
  const lineAt = lineCounter(text);
  const problemOf = ({ offset, error }: YamlFault): Problem => ({ file, line: lineAt(offset), ...faultMessage(error) });
  const duplicateProblems = (duplicates: readonly DuplicateKey[]) => (
    withoutRepeatedObjects(duplicates, text).map((one) => ({ file, line: lineAt(one.offset), ...duplicateMessage(one) }))
  );
  let documents: YamlDocument[];
  try {
    documents = readYaml(text, fill);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const problems = [{ file, ...faultMessage(error) }];
    return { ...asWritten(text), file, fill, documents: [], problems, lineAt, problemOf, duplicateProblems };
  }
  const problems = documents.flatMap(({ fault, duplicates }) => [
    ...(fault ? [problemOf(fault)] : []),
    ...duplicateProblems(duplicates),
  ]);
  return { ...asWritten(text), file, fill, documents, problems, lineAt, problemOf, duplicateProblems };
}

function asWritten(text: string): Pick<SourceText, 'text' | 'written' | 'offsetInFile' | 'writtenBetween'> {
  return { text, written: text, offsetInFile: (offset) => offset, writtenBetween: (from, to) => text.slice(from, to) };
}

/** A template, as far as it is YAML: one line for the rest of it. */
function templateSource(text: string, file: string, fill: FillScalar | undefined): SourceText {
  const template = templateAsYaml(text);
  const source = sourceTextOf(template.text, file, fill);
  if (template.text === text) return source;
  const problemOf = (fault: YamlFault): Problem => ({
    ...source.problemOf(fault),
    cause: 'template',
    message: 'is a template, and no YAML before it is rendered',
    fix: 'give what it renders to, e.g. what `helm template` prints',
  });
  const fault = source.documents.find((document) => document.fault)?.fault;
  // Keys of two branches are no mistake.
  const documents = source.documents.map((document) => ({ ...document, duplicates: [] }));
  const problems = fault ? [problemOf(fault)] : source.documents.length === 0 ? source.problems : [];
  return { ...source, ...placesIn(text, template, source), documents, problems, problemOf, controlLines: controlLinesOf(template) };
}

/** A file that is YAML once its variables are filled in; undefined for one that is none then either. */
function variableSource(text: string, file: string, fill: FillScalar | undefined): SourceText | undefined {
  const template = variablesAsYaml(text);
  if (template.text === text) return undefined;
  const source = sourceTextOf(template.text, file, fill);
  if (source.documents.length === 0 || source.documents.some(({ fault }) => fault)) return undefined;
  return { ...source, ...placesIn(text, template, source), switchLines: controlLinesOf(template) };
}

function controlLinesOf({ controlLines }: TemplateText): ReadonlySet<number> {
  return new Set(controlLines.map((line) => line + 1));
}

/** The places of the YAML of a template in the template. */
function placesIn(
  text: string, template: TemplateText, { lineAt }: Pick<SourceText, 'lineAt'>,
): Pick<SourceText, 'written' | 'offsetInFile' | 'writtenBetween'> {
  const { offsetInFile, lineFrom, lineTo } = offsetsBetween(template.text, text, lineAt);
  const writtenBetween = (from: number, to: number) => text.slice(offsetInFile(from) ?? lineFrom(from), offsetInFile(to) ?? lineTo(to));
  return { written: text, offsetInFile, writtenBetween };
}

interface Repetition extends DuplicateKey {
  /** Whether a whole object is repeated from this key on. */
  readonly isObject: boolean;
}

/** The keys that stand twice; of those of an object that has no `---` above it the first one alone. */
function withoutRepeatedObjects(duplicates: readonly DuplicateKey[], text: string): Repetition[] {
  const objects: DuplicateKey[][] = [];
  for (const duplicate of duplicates) {
    if (duplicate.offset > 0 && text[duplicate.offset - 1] !== '\n') continue;
    const last = objects.at(-1);
    if (last && !last.some(({ key }) => key === duplicate.key)) last.push(duplicate);
    else objects.push([duplicate]);
  }
  const whole = objects.filter((keys) => ['apiVersion', 'kind'].every((name) => keys.some(({ key }) => key === name)));
  const beginnings = new Set(whole.map(([first]) => first));
  const others = new Set(whole.flatMap(([, ...rest]) => rest));
  return duplicates.filter((one) => !others.has(one)).map((one) => ({ ...one, isObject: beginnings.has(one) }));
}

function duplicateMessage({ key, isObject }: Repetition): Omit<Problem, 'file' | 'line'> {
  return {
    rule: 'duplicate-key',
    why: 'kubectl takes the last one without a word, and what the first one says is lost',
    ...(isObject
      ? { message: 'an object begins without --- above it: the two have the same keys, of which the last one counts', fix: 'write --- above this line' }
      : { message: `the key ${oneLine(key)} is written twice in one map; the last one counts`, fix: 'leave one of the two out' }),
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

function faultMessage(error: Error): { message: string; fix: string } {
  if (error instanceof TooLarge) return { message: error.message, fix: 'write the values out, without anchors' };
  if (error instanceof TooDeep) return { message: error.message, fix: 'give Kubernetes objects' };
  if (error instanceof KubectlError) return { message: error.message, fix: error.fix };
  const refused = error instanceof NodeError ? 'kubectl cannot read it' : 'is neither YAML nor JSON';
  return { message: `${refused}: ${oneLine(error.message)}`, fix: 'correct the syntax' };
}
