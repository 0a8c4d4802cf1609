import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { base, dist, fileOf, notBuilt } from './built-site';
import { documentation } from '../../src/documentation';

const pages =
  notBuilt !== undefined
    ? []
    : readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .sort();
const read = (file: string) => readFileSync(join(dist, file), 'utf8');

(notBuilt === undefined ? describe : describe.skip)(`the built site${notBuilt === undefined ? '' : ` (${notBuilt})`}`, () => {
  const ids = new Map(pages.map((file) => [file, new Set([...read(file).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))]));

  test('has every document and the pages that the build writes', () => {
    const docs = readdirSync(join(dist, '..', '..', 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
    const missing = docs.filter((file) => fileOf(new URL(documentation(`docs/${file}`)).pathname) === undefined);
    expect(docs.length).toBeGreaterThan(120);
    expect(missing).toEqual([]);
  });

  test('leads to a page and a heading by every link', () => {
    const dead = pages.flatMap((file) => [...new Set(targetsIn(read(file)))].flatMap((target) => {
      const address = new URL(target, `http://site${base}${file}`);
      const found = fileOf(address.pathname);
      const anchor = decodeURIComponent(address.hash.slice(1));
      const right = found !== undefined && (anchor === '' || ids.get(relative(dist, found))?.has(anchor) === true);
      return right ? [] : [`${file}: ${target}`];
    }));
    expect(dead).toEqual([]);
  });

  test('shows no text of a template that was not filled in', () => {
    expect(pages.filter((file) => /undefined is not|\[object Object\]/.test(read(file)))).toEqual([]);
  });
});

/** Links and sources within the site. */
function targetsIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, target]) => target!.replace(/&amp;/g, '&'))
    .filter((target) => !/^(https?:|mailto:|data:)/.test(target));
}
