import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { documents, root } from './documents';
import { sectionsOf } from './headings';
import { DOCUMENTATION_SITE } from '../../src/documentation';

const anchorsOf = (text: string) => new Set(sectionsOf(text).map(({ anchor }) => anchor));

test('every link between documents leads somewhere', () => {
  const dead = [...documents].flatMap(([document, text]) =>
    [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].flatMap(([, target]) => {
      const [path, section] = target!.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path!));
      const found =
        existsSync(join(root, file)) && (section === undefined || !documents.has(file) || anchorsOf(documents.get(file)!).has(section));
      return found ? [] : [`${document}: ${target}`];
    }));
  expect(dead).toEqual([]);
});

test.each(['docs/README.md', 'docs/spec/README.md'])('the index %s has every document of its directory, once', (index) => {
  const directory = dirname(index);
  const listed = [...documents.get(index)!.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\)/gm)].map(([, path]) => normalize(join(directory, path!)));
  expect(new Set(listed).size).toBe(listed.length);
  expect(
    [...documents.keys()].filter((document) => dirname(document) === directory && document !== index && !listed.includes(document)),
  ).toEqual([]);
});

describe('decisions', () => {
  const decisions = [...documents].filter(([document]) => /^docs\/adr\/\d/.test(document));

  test('are numbered without a gap', () => {
    expect(decisions.map(([document]) => Number(/(\d{4})-[a-z0-9-]+\.md$/.exec(document)![1]))).toEqual(decisions.map((_, i) => i + 1));
  });
  test.each(decisions)('%s has its number, a status and the three headings', (document, text) => {
    expect(text).toMatch(new RegExp(`^# ${Number(document.slice('docs/adr/'.length, 'docs/adr/'.length + 4))}\\. .+\n\nStatus: (accepted|superseded by \\[\\d+\\]\\(.+\\))\n`));
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(['Context', 'Decision', 'Consequences']);
  });
  test('are all in their index, under their titles', () => {
    const rows = [...documents.get('docs/adr/README.md')!.matchAll(/^\| \[(\d+)\]\(([^)]+)\) \| (.+?) \|/gm)].map(
      ([, number, file, title]) => [file, `${number}. ${title}`],
    );
    expect(rows.map(([file]) => `docs/adr/${file}`)).toEqual(decisions.map(([document]) => document));
    for (const [file, title] of rows) expect(documents.get(`docs/adr/${file}`)).toMatch(`# ${title}`);
  });
});

test('the README leads to the index', () => expect(documents.get('README.md')).toContain(`](${DOCUMENTATION_SITE})`));

test('the README is in the package, and leads only to files that are there too', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const relative = [...documents.get('README.md')!.matchAll(/\]\((?!https:)([^)\s#]*)/g)].map(([, target]) => target!);
  expect(relative.filter((target) => !files.includes(target))).toEqual([]);
});

test('links to files of the repository lead to files', () => {
  const named = [...documents].flatMap(([document, text]) =>
    [...text.matchAll(/github\.com\/cdk8s-aso\/cdk8s-aso\/(?:blob|tree)\/main\/([\w./-]+)/g)].map(([, path]) => [document, path!] as const));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
});
