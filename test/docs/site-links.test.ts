import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from './documents';
import { sectionsOf } from './headings';
import { DOCUMENTATION_SITE, documentation } from '../../src/documentation';

const markdownIn = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${directory}/${file}`);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Every page of the site with its headings: the documents, and the pages that the build writes. */
const pages = new Map(
  [
    ...[...documents.keys()].filter((document) => document.startsWith('docs/')),
    ...markdownIn('docs/api'),
    ...markdownIn('docs/modules'),
  ].map((document) => [documentation(document), new Set(sectionsOf(read(document)).map(({ anchor }) => anchor))]),
);

function isDead(link: string): boolean {
  const [page, anchor] = link.split('#') as [string, string?];
  return !pages.has(page) || (anchor !== undefined && !pages.get(page)!.has(anchor));
}

const linksIn = (text: string) => [...text.matchAll(/https:\/\/cdk8s-aso\.github\.io\/cdk8s-aso\/[\w/#-]*/g)].map(([link]) => link);

test.each([
  ['docs/checks.md', 'checks'],
  ['docs/checks.md#the-rules', 'checks#the-rules'],
  ['docs/README.md', ''],
  ['docs/spec/README.md', 'spec/'],
  ['docs/api/keyvault.md#vault', 'api/keyvault#vault'],
])('%s is at %s of the site', (document, page) => expect(documentation(document)).toBe(DOCUMENTATION_SITE + page));

test.each(['https://cdk8s-aso.github.io/cdk8s-aso/chek', 'https://cdk8s-aso.github.io/cdk8s-aso/checks#rulez'])(
  '%s would be found',
  (link) => expect(isDead(link)).toBe(true),
);

test('every link of API.md to the site has its page and heading', () => {
  const links = linksIn(read('API.md'));
  expect(links.length).toBeGreaterThan(500);
  expect(links.filter(isDead)).toEqual([]);
});

test('every link of the documents and of public comments to the site has its page and heading', () => {
  const sources = ['src', 'cli', 'engine', 'runtime', 'controller', 'composer', 'projenrc'].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((file) => `${directory}/${file}`)
      .filter((file) => file.endsWith('.ts') && !file.startsWith('src/services/')));
  const texts = [...documents, ...sources.map((file) => [file, read(file)] as const)];
  const dead = texts.flatMap(([file, text]) => linksIn(text).filter(isDead).map((link) => `${file}: ${link}`));
  expect(dead).toEqual([]);
  expect(texts.flatMap(([, text]) => linksIn(text)).length).toBeGreaterThan(4);
});

test('package.json names the site', () =>
  expect((JSON.parse(read('package.json')) as { homepage: string }).homepage).toBe(DOCUMENTATION_SITE));
