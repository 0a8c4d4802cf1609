import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { documents, root } from './documents';

/** What GitHub calls a heading in an address. */
const anchor = (heading: string) => heading.toLowerCase().replace(/[`*]/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
const anchorsOf = (text: string) => new Set([...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading)));

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

test('the index has every document, once', () => {
  const listed = [...documents.get('docs/README.md')!.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\)/gm)].map(([, path]) => normalize(join('docs', path)));
  expect(new Set(listed).size).toBe(listed.length);
  expect([...documents.keys()].filter((document) => document.startsWith('docs/') && document !== 'docs/README.md' && !listed.includes(document))).toEqual([]);
});

test('the README leads to the index', () => expect(documents.get('README.md')).toMatch(/\]\(docs\/README\.md\)/));
