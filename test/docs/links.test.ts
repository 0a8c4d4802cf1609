import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { documents, root } from './documents';
import { sectionsOf } from './headings';

const anchorsOf = (text: string) => new Set(sectionsOf(text).map(({ anchor }) => anchor));

test('every link between documents leads somewhere', () => {
  const dead = [...documents].flatMap(([document, text]) =>
    [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].flatMap(([, target]) => {
      const [path, section] = target.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      const found = existsSync(join(root, file)) && (section === undefined || !documents.has(file) || anchorsOf(documents.get(file)!).has(section));
      return found ? [] : [`${document}: ${target}`];
    }));
  expect(dead).toEqual([]);
});

test.each(['docs/README.md', 'docs/spec/README.md'])('the index %s has every document of its directory, once', (index) => {
  const directory = dirname(index);
  const listed = [...documents.get(index)!.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\)/gm)].map(([, path]) => normalize(join(directory, path)));
  expect(new Set(listed).size).toBe(listed.length);
  expect([...documents.keys()].filter((document) => dirname(document) === directory && document !== index && !listed.includes(document))).toEqual([]);
});

test('the README leads to the index', () => expect(documents.get('README.md')).toMatch(/\]\(docs\/README\.md\)/));
