import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFiles } from '../../../cli/import-crds/write';

const FILES = new Map([['catalog.json', '{"cdk8sAsoCatalog":1}\n'], ['widgets/widget.ts', 'export {};\n']]);

function folders(): { readonly out: string; readonly other: string } {
  const root = mkdtempSync(join(tmpdir(), 'import-crds-links-'));
  const [out, other] = [join(root, 'out'), join(root, 'other')];
  mkdirSync(out);
  mkdirSync(other);
  return { out, other };
}

test.each([false, true])('a folder that is a link is not written to (force: %s)', (force) => {
  const { out, other } = folders();
  symlinkSync(other, join(out, 'widgets'));
  expect(() => writeFiles(out, FILES, force)).toThrow('has links in the place of folders: widgets');
  expect(readdirSync(other)).toEqual([]);
});

test('a file that is a link is refused, also one that leads nowhere; with force the link goes, and what is behind it stays', () => {
  const { out, other } = folders();
  const target = join(other, 'mine.json');
  symlinkSync(target, join(out, 'catalog.json'));
  expect(() => writeFiles(out, FILES, false)).toThrow('catalog.json (a link)');
  writeFileSync(target, 'mine');
  writeFiles(out, FILES, true);
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(readFileSync(join(out, 'catalog.json'), 'utf8')).toBe(FILES.get('catalog.json'));
});
