import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { documents, root } from './documents';
import { sectionsOf } from './headings';
import { specRows } from './spec-tables';

/** Where comments, strings and test titles cite documents. `src/services` is generated. */
const DIRECTORIES = ['src', 'engine', 'runtime', 'controller', 'composer', 'sandbox', 'cli', 'codegen', 'test', 'scripts', 'bench', 'projenrc'];
const SOURCE = /\.(ts|mjs|cjs|mts|js)$/;
/** Without this test, which contains the searched text. */
const files = ['.projenrc.ts', ...DIRECTORIES.flatMap(sourcesIn)].filter((file) => file !== 'test/docs/citations.test.ts');
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

function sourcesIn(directory: string): string[] {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return path === 'src/services' || entry.name === 'node_modules' ? [] : sourcesIn(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

interface Citation {
  /** E.g. `controller/metrics.ts:21`. */
  readonly where: string;
  readonly text: string;
}

/** Matches of the pattern in the lines of the sources. */
function found(pattern: RegExp): Citation[] {
  return [...texts].filter(([, text]) => text.search(pattern) >= 0).flatMap(([file, whole]) => (
    whole.split('\n').flatMap((line, index) => [...line.matchAll(pattern)].map(([text]) => ({ where: `${file}:${index + 1}`, text })))
  ));
}

/** The pages of the services and modules are made by the build, so their anchors are not looked at. */
const GENERATED = /^docs\/(api|modules)\//;
const anchors = new Map([...documents].map(([document, text]) => [document, sectionsOf(text).map(({ anchor }) => anchor)]));
const citations = found(/(?<![\w.-])docs\/[\w./-]+\.md(#[\w-]*)?/g).filter(({ text }) => !GENERATED.test(text));

test('every citation of a document leads to a file and a heading', () => {
  const dead = citations.filter(({ text }) => {
    const [document, anchor] = text.split('#');
    return !documents.has(document!) || (anchor !== undefined && !anchors.get(document!)!.includes(anchor));
  });
  expect(citations.length).toBeGreaterThan(300);
  expect(dead.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

/** A title that goes on behind the citation says which row of the table it is about; computed titles are checked where they are made. */
test('a title that cites a table of the specification begins with the name of a row', () => {
  const titles = found(/(?<=['`])docs\/spec\/[\w-]+\.md#[\w-]+: [^'`]+/g);
  const wrong = titles.filter(({ text }) => {
    const [citation, title] = [text.slice(0, text.indexOf(': ')), text.slice(text.indexOf(': ') + 2)];
    if (!hasRows(citation) || /^(%s|\$\{|each row)/.test(title)) return false;
    return !specRows(citation).some(({ name }) => title.startsWith(`${name}:`) || title.startsWith(`${name},`));
  });
  expect(titles.length).toBeGreaterThan(30);
  expect(wrong.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

function hasRows(citation: string): boolean {
  const [document, anchor] = citation.split('#');
  const section = documents.has(document!)
    ? sectionsOf(documents.get(document!)!).find((candidate) => candidate.anchor === anchor)
    : undefined;
  return section?.lines.some((line) => line.startsWith('| Row |')) ?? false;
}

test('a citation of the specification names a heading', () => {
  const whole = citations.filter(({ text }) => /^docs\/spec\/[\w-]+\.md$/.test(text) && text !== 'docs/spec/README.md');
  expect(whole.filter(({ where }) => !/^test\/(docs|rows\/count)/.test(where)).map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

test('headings of one document of the specification have different anchors', () => {
  const repeated = [...anchors].filter(([document]) => document.startsWith('docs/spec/')).flatMap(([document, names]) => (
    names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${document}#${name}`)
  ));
  expect(repeated).toEqual([]);
});

/** Names under which a specification outside of the repository was cited, and of our own documents without their directory. */
const OUTSIDE = ['crd-management-and-rbac', 'exports-and-cel', 'field', 'settings-and-metrics', 'strict-workload-identity'];
const NAMES = [
  ...new Set([
    ...OUTSIDE,
    ...[...documents.keys()].filter((document) => document.includes('/')).map((document) => document.replace(/^.*\/|\.md$/g, '')),
  ]),
].filter((name) => name !== 'README');

test('no document is cited without its directory, or by the number of a section', () => {
  // A link of Markdown that a test or a generator writes has brackets; a path may be joined of its parts.
  const bare = found(new RegExp(`(?<![\\w./([-]|'docs', ')((${NAMES.join('|')})\\.md\\b( \\d+(\\.\\d+)*)?|arm-behaviour\\.json)`, 'g'));
  const numbered = found(/\bdocs\/[\w./-]+\.md(#[\w-]+)?,? (section|row|rows|step|\d)\b/g);
  expect([...bare, ...numbered].map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

test('no comment and no test points outside of the repository', () => {
  const references = found(/\breference\/[\w-]+\.(md|json)\b/g);
  const parents = found(/(\.\.\/)+shared\/[\w./-]*/g).filter(({ where, text }) => {
    const target = resolve(root, dirname(where), text);
    const inside = !relative(root, target).startsWith('..');
    return !inside || !['', '.ts', '.mjs', '/index.ts'].some((end) => existsSync(target + end));
  });
  expect([...references, ...parents].map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

test('headings of the specification that nothing cites, for information', () => {
  const cited = new Set(citations.map(({ text }) => text));
  const all = [...anchors].filter(([document]) => document.startsWith('docs/spec/') && document !== 'docs/spec/README.md')
    .flatMap(([document, names]) => names.slice(1).map((name) => `${document}#${name}`));
  const silent = all.filter((citation) => !cited.has(citation));
  process.stdout.write(`${citations.length} citations; ${all.length - silent.length} of ${all.length} headings of docs/spec are cited, not: ${silent.join(', ') || 'none'}\n`);
  expect(all.length).toBeGreaterThan(100);
});
