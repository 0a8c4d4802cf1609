import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from './documents';
import { specRows } from './spec-tables';

const text = documents.get('docs/compared-with-aso.md')!;
const source = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
const complaints = [...text.matchAll(/^\| (\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|(.*)\|$/gm)].map(
  ([, number, complaint, verdict, how, shown]) => ({
    number: Number(number),
    complaint: complaint!.trim(),
    verdict: verdict!.trim(),
    how: how!.trim(),
    shown,
  }),
);
const citations = (shown: string) =>
  [...shown.matchAll(/`(test\/[^`]+\.test\.ts)` “([^”]+)”/g)].map(([, file, title]) => ({ file, title }));

test('each of the 44 complaints has a verdict, a reason and a test', () => {
  expect(complaints.map(({ number }) => number)).toEqual(Array.from({ length: 44 }, (_, index) => index + 1));
  for (const { number, complaint, verdict, how, shown } of complaints) {
    expect([number, ['better', 'kept'].includes(verdict)]).toEqual([number, true]);
    expect([number, complaint !== '', how.length > 20, citations(shown!).length]).toEqual([number, true, true, expect.any(Number)]);
    expect([number, citations(shown!).length > 0]).toEqual([number, true]);
  }
  const better = complaints.filter(({ verdict }) => verdict === 'better').length;
  process.stdout.write(`complaints: ${better} better, ${complaints.length - better} kept\n`);
});

test.each(complaints.flatMap(({ number, shown }) => citations(shown!).map(({ file, title }) => [number, file, title] as const)))(
  'complaint %i: %s has the test “%s”',
  (_, file, title) => {
    expect(existsSync(join(root, file!))).toBe(true);
    const titles = source(file!).split('\n').filter((line) => /\b(test|row|describe|situation)\b/.test(line) || /^\s*['`]/.test(line));
    expect(titles.some((line) => line.includes(title!))).toBe(true);
  },
);

/** In the files of the rows: the beginning of a table, the name of a row, and what this controller does on purpose. */
const PARTS =
  /\btable\( ?'(?<opens>[^']+)'|\brow\( ?'(?<names>[^']+)'|\(better: (?<better>(?:(?!\(better: ).)*?)\)?\)['`"], (?:\(\) =>|async|inEnvironment|nameFrom)/g;

/** The rows of the tables in which this controller differs on purpose: their tests say `(better: …)`. */
function differences(): { table: string; name: string | undefined; here: string }[] {
  const files = readdirSync(join(root, 'test', 'rows')).filter((file) => file.endsWith('.test.ts')).sort();
  return files.flatMap((file) => {
    let table = '';
    let row: RegExpMatchArray | undefined;
    // Of a call that is broken into lines, the arguments follow each other all the same.
    const code = source(`test/rows/${file}`).replace(/\s*\n\s*/g, ' ');
    return [...code.matchAll(PARTS)].flatMap((part) => {
      const { opens, names, better } = part.groups!;
      if (opens !== undefined) table = opens;
      if (names !== undefined) row = part;
      if (better === undefined) return [];
      // Only the title comes between the name of a row and what is better.
      const isOfRow = row !== undefined && !code.slice(row.index, part.index).includes('=>');
      return [{ table, name: isOfRow ? row?.groups!.names : undefined, here: better.replace(/\$\{[^}]*\}/g, '…') }];
    });
  });
}

test('the document lists every row in which this controller differs on purpose', () => {
  const found = differences();
  expect(found.length).toBeGreaterThan(40);
  const lines = found.map(
    ({ table, name, here }) => `| [${table.slice('docs/spec/'.length)}](${table.slice('docs/'.length)}) | ${name ?? '…'} | ${here} |`,
  );
  expect(
    text
      .slice(text.indexOf('\n| Table | Row | Here |'))
      .split('\n')
      .filter((line) => line.startsWith('| [') && line.includes('](spec/')),
  ).toEqual(lines);
});

test('the specification says of each such row what ASO does', () => {
  const silent = differences().flatMap(({ table, name }) => {
    const row = specRows(table).find((candidate) => candidate.name === name);
    return name === undefined || row?.aso ? [] : [`${table}: ${name}`];
  });
  expect(silent).toEqual([]);
});
