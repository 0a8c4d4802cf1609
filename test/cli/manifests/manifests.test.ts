import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describeObject, parseManifests } from '../../../cli/manifests/manifests';
import { readManifests } from '../../../cli/manifests/read-manifests';
import { formatProblem } from '../../../cli/output/problem';
import { filesIn } from '../capture';

const read = (text: string) => parseManifests(text, 'f.yaml');
const problems = (text: string) => read(text).problems.map(formatProblem);
const names = (paths: string[]) => readManifests(paths).manifests.map(({ object }) => describeObject(object));

const group = (name: string) => `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata:\n  name: ${name}\n`;

describe('what is read', () => {
  test('documents, lists, comments and empty documents, each with its line', () => {
    const text = `# a comment\n---\n${group('a')}---\n---\napiVersion: v1\nkind: List\nitems:\n- ${group('b').trimEnd().replace(/\n/g, '\n  ')}\n`;
    const { manifests, problems: found } = read(text);
    expect(found).toEqual([]);
    expect(manifests.map(({ object, line }) => [object.metadata.name, line])).toEqual([['a', 3], ['b', 12]]);
    expect(manifests.map(({ lineOf }) => lineOf(['metadata', 'name']))).toEqual([6, 15]);
    expect(manifests[0]!.lineOf(['spec', 'owner'])).toBe(3);
  });

  test('JSON, with tabs and a byte order mark', () => {
    const { manifests } = read('\uFEFF{\n\t"apiVersion": "v1",\n\t"kind": "Secret",\n\t"metadata": {"name": "s"}\n}\n');
    expect(manifests.map(({ object }) => object.kind)).toEqual(['Secret']);
  });

  // kubectl decodes both byte orders where there is a mark, and reads all documents of such a file; without a mark it refuses them.
  test.each([
    ['little endian', Buffer.from([0xff, 0xfe]), (bytes: Buffer) => bytes],
    ['big endian', Buffer.from([0xfe, 0xff]), (bytes: Buffer) => bytes.swap16()],
  ])('a file in UTF-16, %s', (_, mark, ordered) => {
    const text = `${group('größe-a')}---\r\n${group('b')}`;
    const utf16 = ordered(Buffer.from(text, 'utf16le'));
    const directory = filesIn({});
    writeFileSync(join(directory, 'marked.yaml'), Buffer.concat([mark, utf16]));
    expect(names([join(directory, 'marked.yaml')])).toEqual(['ResourceGroup größe-a', 'ResourceGroup b']);
    writeFileSync(join(directory, 'bare.yaml'), utf16);
    expect(readManifests([join(directory, 'bare.yaml')]).problems.map(formatProblem)).toEqual([expect.stringContaining('U+0000')]);
  });

  test('as kubectl reads it: yes and no, octal numbers, merge keys', () => {
    const { manifests } = read(`${group('a')}base: &base {x: 1}\nspec: {on: yes, no: "no", mode: 0644, size: 10, z: {<<: *base}}\n`);
    expect(manifests[0]?.object.spec).toEqual({ true: true, false: 'no', mode: 420, size: 10, z: { x: 1 } });
  });

  test('a null in metadata is left out', () => {
    const { manifests, problems: found } = read(
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: null, labels: null, annotations: ~, finalizers: }\n',
    );
    expect(found).toEqual([]);
    expect(manifests.map(({ object }) => object.metadata)).toEqual([{ name: 'a' }]);
  });

  test('brackets and spaces in texts do not nest', () => {
    expect(problems(`${group('a')}spec: {a: '${'['.repeat(2000)}', b: "${' '.repeat(2000)}"}\n`)).toEqual([]);
  });

  test('the manifests of a directory, by name; nothing else, and nothing below', () => {
    const directory = filesIn({
      'b.yaml': group('b'),
      'a.json': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      'c.yml': group('c'),
      'README.md': '# no',
    });
    mkdirSync(join(directory, 'below.yaml'));
    expect(names([directory])).toEqual(['Secret a', 'ResourceGroup b', 'ResourceGroup c']);
    expect(readManifests([directory]).problems).toEqual([]);
  });
});

describe('what is wrong: one line, and the rest goes on', () => {
  test('files', () => {
    const directory = filesIn({ 'a.yaml': group('a') });
    const result = readManifests([join(directory, 'none.yaml'), join(directory, 'a.yaml'), filesIn({})]);
    expect(result.manifests).toHaveLength(1);
    expect(result.problems.map(({ message }) => message)).toEqual([
      'no such file or directory',
      'the directory has no .yaml, .yml or .json file',
    ]);
  });

  test('a directory whose subdirectories have the manifests of clusters: they are named', () => {
    const root = filesIn({});
    const fixOf = () => readManifests([root]).problems.map((problem) => formatProblem(problem).replaceAll(root, ''));
    const file = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    file('.git/a.yaml', group('a'));
    file('node_modules/p/a.yaml', group('a'));
    file('settings/tsconfig.json', '{}');
    file('prd/aks-c/construct-metadata.json', '{"apiVersion":1}');
    symlinkSync(filesIn({ 'a.yaml': group('a') }), join(root, 'link'));
    expect(fixOf()).toEqual([': the directory has no .yaml, .yml or .json file; give a directory with manifests, e.g. the dist/ that cdk8s synth writes']);
    file('prd/aks-b/a.k8s.yaml', group('a'));
    expect(fixOf()).toEqual([': the directory has no .yaml, .yml or .json file; give /prd/aks-b; check -R reads all below it, each by itself']);
    file('prd/aks-a/0-empty.k8s.yaml', '');
    file('prd/aks-a/a.k8s.yaml', group('a'));
    file('dev/a.json', '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}');
    expect(fixOf()).toEqual([
      ': the directory has no .yaml, .yml or .json file; give the directory of one cluster: /dev, /prd/aks-a or /prd/aks-b; check -R reads all below it, each by itself',
    ]);
    file('empty.yaml', '');
    for (const name of ['p', 'q', 'r', 's']) file(`${name}/a.yml`, group('a'));
    expect(fixOf()).toEqual([
      ': the directory has no Kubernetes object; give the directory of one cluster: /dev, /p, /q, /r, /s or one of 2 more; check -R reads all below it, each by itself',
    ]);
  });

  test.each([
    ['syntax', 'a: [b\n', /^f\.yaml:2: is neither YAML nor JSON: .*; correct the syntax$/],
    ['no object', '- a\n', /^f\.yaml:1: is not a Kubernetes object/],
    ['no apiVersion', 'kind: A\n', /^f\.yaml:1: A: apiVersion: is missing/],
    ['no kind', 'apiVersion: v1\n', /^f\.yaml:1: kind: is missing/],
    ['no name', 'apiVersion: v1\nkind: Secret\nmetadata: {}\n', /^f\.yaml:1: Secret: metadata\.name: is missing/],
    ['a number as name', 'apiVersion: v1\nkind: Secret\nmetadata: {name: 5}\n', /metadata\.name: is not a text; put the name in quotes/],
    [
      'a name that is made up each time',
      'apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n',
      /metadata\.name: is missing; .* generateName/,
    ],
    ['a kustomization', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n', /kubectl kustomize/],
    [
      'a template that is no YAML without its control lines either',
      'a: 1\n{{- if .Values.x }}\nb: [{{ .Release.Name }}\n{{- end }}\n',
      /is a template, and no YAML before it is rendered; .*helm template/,
    ],
    [
      'a namespace that is none',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: [1]}\n',
      /metadata\.namespace: is not a text/,
    ],
    [
      'annotations of another type',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {a: true}}\n',
      /metadata\.annotations: has a value that is not a text/,
    ],
    [
      'labels of another type',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {a: 1}}\n',
      /metadata\.labels: has a value that is not a text/,
    ],
    ['a spec that is none', `${group('a')}spec: text\n`, /ResourceGroup a: spec: is not an object/],
    ['bad things in a list', 'apiVersion: v1\nkind: List\nitems: [5]\n', /^f\.yaml:3: is not a Kubernetes object/],
  ])('%s', (_, text, line) => {
    expect(problems(text)).toEqual([expect.stringMatching(line)]);
    expect(read(`${text}---\n${group('next')}`).manifests.map(({ object }) => object.metadata.name)).toEqual(['next']);
  });

  test('a key twice: the last one counts, as kubectl takes it, and nothing is lost', () => {
    const { manifests, problems: found } = read(`${group('a')}spec: {location: x, location: z}\nspec2: {}\nspec2: 1\n`);
    expect(found.map(formatProblem)).toEqual([
      'f.yaml:5: the key location is written twice in one map; the last one counts; leave one of the two out',
      'f.yaml:7: the key spec2 is written twice in one map; the last one counts; leave one of the two out',
    ]);
    expect(manifests.map(({ object }) => object.spec)).toEqual([{ location: 'z' }]);
  });

  test('objects without --- between them are one mistake each', () => {
    const { manifests, problems: found } = read(`${group('a')}${group('b')}spec: {location: x}\n${group('c')}spec: {}\n`);
    expect(found.map(formatProblem)).toEqual([
      'f.yaml:5: an object begins without --- above it: the two have the same keys, of which the last one counts; write --- above this line',
      'f.yaml:10: an object begins without --- above it: the two have the same keys, of which the last one counts; write --- above this line',
    ]);
    expect(manifests.map(({ object }) => object.metadata.name)).toEqual(['c']);
  });

  test('what kubectl loses without a word is told', () => {
    expect(problems(`${group('a')}...\n${group('b')}---\n${group('c')}`)).toEqual([
      'f.yaml:6: stands behind ..., where kubectl reads no further; separate documents with ---',
    ]);
  });

  test.each([
    ['a tab on an empty line', `${group('a')}spec:\n  location: x\n\t\n`, /^f\.yaml:7: has a tab where kubectl takes spaces alone; indent with spaces$/],
    ['a control character', `${group('a')}spec: {location: "a\u007f"}\n`, /^f\.yaml:5: has the character U\+007F, which YAML does not allow/],
    ['text behind ---', '--- {apiVersion: v1, kind: A, metadata: {name: a}}\n', /^f\.yaml:1: has more than a comment behind ---/],
    ['a directive', `%YAML 1.2\n---\n${group('a')}`, /^f\.yaml:1: has a directive \(%\), which kubectl does not take/],
    ['an address in brackets', `${group('a')}spec: {url: https://a/?b=c}\n`, /^f\.yaml:5: has \? in a text within brackets/],
  ])('what other readers of YAML take, and kubectl does not: %s', (_, text, line) => {
    expect(problems(text)).toEqual([expect.stringMatching(line)]);
  });

  // Node can run out of stack on such a text, so nothing of it is read.
  test.each([
    ['brackets without end', `a: ${'['.repeat(20000)}`],
    ['marks of lists without end', `${'- '.repeat(20000)}a`],
    ['keys in keys', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('nested too deeply: %s', (_, text) => {
    expect(problems(text)).toEqual(['f.yaml: is nested more than 250 levels deep; give Kubernetes objects']);
  });

  test('the same object twice: the first one counts', () => {
    const { manifests, problems: found } = readManifests([filesIn({ 'a.yaml': `${group('a')}---\n${group('a')}` })]);
    expect(manifests.map(({ line }) => line)).toEqual([1]);
    expect(formatProblem(found[0]!)).toMatch(/a\.yaml:6: ResourceGroup a: stands already in .*a\.yaml:1/);
  });

  test('an avalanche of aliases, an abyss of brackets', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(',')}]`);
    expect(problems(`l0: &l0 x\n${levels.join('\n')}\n`)).toHaveLength(1);
    expect(problems('['.repeat(100_000))).toHaveLength(1);
  });

  test('nothing that a file contains moves the cursor', () => {
    expect(problems('apiVersion: v1\nkind: "A\\e[2J\\nB"\nmetadata: {}\n')).toEqual([
      'f.yaml:1: A[2J B: metadata.name: is missing; give the object a name',
    ]);
  });

  test('no text is an exception', () => {
    const piece = fc.constantFrom(
      'apiVersion: v1',
      'kind: List',
      'items:',
      '- ',
      '---',
      '{',
      '}',
      '[',
      ']',
      ': ',
      '&a',
      '*a',
      '<<',
      '"',
      '\n',
      '  ',
      '!!js',
      '\t',
      '#',
      '|',
      '\u0000',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
        (text) => {
          const result = read(text);
          for (const problem of result.problems) expect(formatProblem(problem)).not.toMatch(/\n/);
        },
      ),
      { numRuns: 500 },
    );
  });
});
