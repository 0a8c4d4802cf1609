import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from '../docs/documents';
import { sectionsOf } from '../docs/headings';
import { specRows } from '../docs/spec-tables';

/** Documents of which every table of rows is tested by the files of these directories. */
const DOCUMENTS = ['objects', 'reconcile', 'owners', 'deletion', 'conditions', 'errors', 'arm', 'exports', 'cel'].map(
  (name) => `docs/spec/${name}.md`,
);
/** Tables of other documents that these directories test as well. */
const TABLES = ['docs/spec/metrics.md#metrics'];
const DIRECTORIES = ['test/rows', 'test/engine/export/rows'];

const tables = [
  ...DOCUMENTS.flatMap((document) => sectionsOf(documents.get(document)!)
    .filter(({ lines }) => lines.some((line) => line.startsWith('| Row |'))).map(({ anchor }) => `${document}#${anchor}`)),
  ...TABLES,
];

/** The tables that the files test; each file checks the rows of its own. */
function testedTables(): string[] {
  const files = DIRECTORIES.flatMap((directory) =>
    readdirSync(join(root, directory))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(root, directory, file)),
  );
  return files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^table\('([^']+)'/gm)].map(([, citation]) => citation!));
}

test('every table is tested, each in one file', () => {
  expect(testedTables().sort()).toEqual([...tables].sort());
});

test.each(tables)('%s: the rows have different names', (citation) => {
  const names = specRows(citation).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('the count of rows', () => {
  const rows = tables.reduce((sum, citation) => sum + specRows(citation).length, 0);
  process.stdout.write(`${rows} rows in ${tables.length} tables of docs/spec are tested\n`);
  expect(rows).toBeGreaterThan(300);
});
