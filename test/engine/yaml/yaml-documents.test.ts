import { isMap, LineCounter, parseAllDocuments, type Document } from 'yaml';
import type * as YamlDocuments from '../../../engine/yaml/yaml-documents';
import { counted, growth } from '../../setup/work';

const { documentsOf, firstDocumentOf } = counted<typeof YamlDocuments>('engine/yaml/yaml-documents', ['yaml']);

const TEXTS = [
  '',
  '# nothing',
  'a: 1',
  '---\na: 1\n---\nb: 2\n...\n# end',
  'a: 1\n---\n---\nb: [1, {c: d}]',
  '%YAML 1.2\n---\na: 1',
  '- a\n- b: c\n  d: e',
  '{a: 1, a: 2}',
  'a: 1\nb: 2\na: 3',
  'a:\n  b: 1\n  c: {d: 1, d: 2}',
  '{1: a, "1": b}',
  '? {a: 1, a: 2}\n: x',
  'a: &x {b: 1}\nc: *x',
  '- a: 1\n- a: 2',
  'a: [b\n',
  '{a: "b""c"}',
  '{a: [1, 2}',
  'a: b: c',
  'a: 1\n b: 2',
  '}\n---\na: 1',
  '{a: "b""c"}\n---\nb: 2\n---\n{c: [}\n---\nd: 4',
  '{a: 1}{b: 2}',
  '{a: 1}{b: 2}\n---\nc: 3',
  '"a',
  'a: !!int x',
  '%NONE\n%YAML 3\na: 1',
  '%NONE\n%YAML 1.2 3\n---\na: 1\n---\nb: 2',
  'a: 1\n...\n%NONE\n---\n{b\n...\nc: 1',
  '\t- a',
  'a: |\n  b\n c',
  '...',
  '...\n---\na: 1',
];

/** Result of the parser itself: first errors, with their positions, and values. */
function expected(text: string) {
  const all = parseAllDocuments(text, { prettyErrors: false, logLevel: 'silent' });
  return ('empty' in all ? [] : all).map(firstOf);
}

function firstOf(document: Document.Parsed) {
  const [error] = document.errors;
  return error ? [error.code, error.pos, error.message] : document.toJS() as unknown;
}

test.each(TEXTS)('%j is read as the parser reads it', (text) => {
  const read = documentsOf(text, { logLevel: 'silent' });
  expect(read.map(firstOf)).toEqual(expected(text));
  expect(read.filter(({ errors }) => errors.length > 1)).toEqual([]);
});

test('a document with a mistake is the text up to the next one', () => {
  const text = 'a: 1\n---\n{b: "c""d", e\n---\nf: 2\n';
  const lineCounter = new LineCounter();
  const ranges = documentsOf(text, { lineCounter }).map(({ range: [start, , end], errors: [error] }) => (
    [text.slice(start, end), error && lineCounter.linePos(error.pos[0]).line]
  ));
  expect(ranges).toEqual([['a: 1\n', undefined], ['---\n{b: "c""d", e\n', 3], ['---\nf: 2\n', undefined]]);
});

test('comments stay where they are', () => {
  const [document] = documentsOf('# above\n\na: 1 # beside\n# below\n', {});
  expect([document!.commentBefore, document!.comment, isMap(document!.contents)]).toEqual([' above', ' below', true]);
});

test('of the first document the rest is not read', () => {
  expect(firstDocumentOf('a: 1\n---\n{b', {})?.toJS()).toEqual({ a: 1 });
  expect(firstDocumentOf('{a: 1}{b', {})?.errors).toHaveLength(1);
  expect(firstDocumentOf('', {})).toBeUndefined();
});

test.each([
  ['keys', (count: number) => `{${Array.from({ length: count }, (_, index) => `k${index}: 1`).join(', ')}}`],
  ['mistakes', (count: number) => '- {a: "b""c"}\n'.repeat(count)],
  ['mistakes behind the value', (count: number) => `{a: 1}${'}'.repeat(count)}`],
])('work grows with the number of %s, not with its square', (_, text) => {
  expect(growth(1_000, (count) => documentsOf(text(count), {}))).toBeLessThan(5);
});
