import { parseAllDocuments } from 'yaml';
import { hardValue, plainScalar, randomOf, writtenFile } from './generated';
import { describeWithKubectl, kubectlReads } from './kubectl';
import { objectsIn } from '../../../cli/manifests/source-text';
import { formatYamlDocuments } from '../../../engine/yaml/format-yaml';
import { readYaml } from '../../../engine/yaml/read-yaml';

/** FC_RUNS multiplies the generated texts, FC_SEED takes others. */
const RUNS = Number(process.env.FC_RUNS ?? 1);
const SEED = process.env.FC_SEED === 'random' ? Date.now() : Number(process.env.FC_SEED ?? 1);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
};
const same = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The values that are read of a text, and whether there is a word about each fault. */
function read(text: string) {
  const documents = readYaml(text);
  return {
    values: documents.flatMap(({ value }) => (value === undefined || value === null ? [] : [value])),
    faults: documents.flatMap(({ fault }) => (fault ? [fault.error.message] : [])),
    isDoubtful: documents.some(({ duplicates }) => duplicates.length > 0),
  };
}

/**
 * The texts that are read otherwise than kubectl reads them, or that kubectl refuses and we do not. `refused` are those that we refuse
 * alone, with an error: what kubectl loses without a word (`...`), and odd forms, such as a line that ends with U+0085.
 */
function differences(texts: readonly string[]) {
  const wrong: { readonly text: string; readonly kubectl: unknown; readonly ours: unknown }[] = [];
  let [accepted, refused] = [0, 0];
  for (const [index, kubectl] of kubectlReads(texts).entries()) {
    const text = texts[index]!;
    const ours = read(text);
    const isRefused = ours.faults.length > 0;
    if (kubectl.error === undefined) accepted += 1;
    if (kubectl.error === undefined && isRefused) refused += 1;
    const isSame = kubectl.error === undefined ? ours.isDoubtful || same(kubectl.documents, ours.values) : false;
    if (!isRefused && !isSame) wrong.push({ text, kubectl: kubectl.error ?? kubectl.documents, ours: ours.values });
  }
  return { wrong, accepted, refused };
}

describeWithKubectl('files are read as kubectl reads them', () => {
  test('scalars in each place that they may have', () => {
    const random = randomOf(SEED);
    const places = [(text: string) => `a: ${text}\n`, (text: string) => `- ${text}\n`, (text: string) => `${text}: 1\n`];
    const texts = Array.from({ length: 3_000 * RUNS }, (_, index) => places[index % places.length]!(plainScalar(random)));
    const { wrong, accepted, refused } = differences(texts);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(accepted).toBeGreaterThan(texts.length * 0.8);
    expect(refused).toBeLessThan(accepted * 0.005);
  });

  test('whole files, with and without mistakes', () => {
    const random = randomOf(SEED + 1);
    const texts = Array.from({ length: 1_000 * RUNS }, () => writtenFile(random));
    const { wrong, accepted, refused } = differences(texts);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(accepted).toBeGreaterThan(texts.length * 0.4);
    expect(refused).toBeLessThan(accepted * 0.05);
  });

  test.each([
    ['a quoted key with a line separator', '"a\u2028b": 1\nb: 2\n'],
    ['a quoted key with a carriage return', "a: 1\n'x\ry': >+\n  first\n"],
    ['a list behind a key with ?', 'a:\n- 1\n? more\n- 2\n'],
    ['a list behind a key with ?, further down', 'b:\n  a: 1\n  ?   first\n\n  - x\n'],
    ['a tab before a bracket, behind a text', 'a: [\n    b\n\t  ]\n'],
    ['a key in brackets whose tag is on the line before', 'a: {\n  b: on, !x\n  c: 1\n  }\n'],
    ['a text in single quotes that ends in two', "a:\n  - 'b\n  - ''\n---\nc: 1\n"],
    ['a text in double quotes that ends in an escape', 'a: "b\\"\n'],
    ['a pair behind a key with ? of two lines', 'c:\n  ?   first\n    - x\n    # no comment\n    a: b\n  d: 1\n'],
  ])('%s is refused', (_, text) => {
    expect(kubectlReads([text])[0]!.error).toBeDefined();
    expect(read(text).faults).toHaveLength(1);
  });

  test('a colon before a bracket, with a space before it, is a part of the text for kubectl', () => {
    expect(kubectlReads(['a: [b, c :]\n'])[0]!.documents).toEqual([{ a: ['b', 'c :'] }]);
    expect(read('a: [b, c :]\n').faults).toHaveLength(1);
  });

  test.each(['? a\n: b\nc: d\n', '? a\nc: d\n', '- ? a\n- b\n', 'a: 1\n?   more\n# said\nb: 2\n'])('a key with ? is read: %j', (text) => {
    expect(differences([text])).toEqual({ wrong: [], accepted: 1, refused: 0 });
  });

  test('objects in lists of all kinds', () => {
    const texts = [
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- {apiVersion: v1, kind: B}\n',
      'apiVersion: v1\nkind: AList\nitems:\n- {metadata: {name: a}}\n- {apiVersion: v2, metadata: {name: b}}\n- {apiVersion: v2, kind: B}\n',
      'apiVersion: v1\nkind: A\nitems:\n- {metadata: {name: a}}\n',
      '{"apiVersion":"v1","kind":"A"}{"apiVersion":"v1","kind":"B"}\n{"apiVersion":"v1","kind":"AList","items":[]}',
    ];
    const objects = (text: string) => readYaml(text).flatMap(({ value }) => [...objectsIn(value)].map((one) => one.value));
    expect(texts.map((text) => sorted(objects(text)))).toEqual(kubectlReads(texts).map((answer) => sorted(answer.objects)));
  });
});

describeWithKubectl('what is written is read back as the same values', () => {
  const random = randomOf(SEED + 2);
  const values = Array.from({ length: 1_500 * RUNS }, () => ({ value: hardValue(random) }));
  const texts = values.map((value) => formatYamlDocuments([value]));
  const wrong = (readBack: (text: string, index: number) => unknown) => (
    texts.filter((text, index) => !same(readBack(text, index), [JSON.parse(JSON.stringify(values[index]))]))
  );

  test('by kubectl', () => {
    const answers = kubectlReads(texts);
    expect(wrong((_, index) => answers[index]!.documents).slice(0, 10)).toEqual([]);
  });

  test('by our own reader', () => {
    expect(wrong((text) => read(text).values).slice(0, 10)).toEqual([]);
  });

  test.each(['1.1', '1.2'] as const)('by a reader of YAML %s', (version) => {
    const back = (text: string) => parseAllDocuments(text, { version, logLevel: 'silent' }).map((document) => document.toJS() as unknown);
    expect(wrong(back).slice(0, 10)).toEqual([]);
  });

  test('nothing in it moves a cursor, turns text around, or cannot be seen', () => {
    expect(texts.filter((text) => /[^\n\P{C}]/u.test(text))).toEqual([]);
  });
});
