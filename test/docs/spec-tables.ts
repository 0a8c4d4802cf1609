import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents';
import { sectionsOf } from './headings';

/** A row of a table of the specification. */
export interface SpecRow {
  /** The first cell, without the marks of code. */
  readonly name: string;
  /** Content of the column `ASO`; undefined if the table has no such column, empty if both behave the same. */
  readonly aso?: string;
}

const known = new Map<string, readonly SpecRow[]>();

/**
 * The rows of the table under a heading of the specification, in their order. The table is the first one whose first column is `Row`.
 *
 * @param citation e.g. `docs/spec/reconcile.md#claim`
 * @throws Error where there is no such file, heading or table
 */
export function specRows(citation: string): readonly SpecRow[] {
  let rows = known.get(citation);
  if (!rows) known.set(citation, (rows = read(citation)));
  return rows;
}

/**
 * The title of a test about a row: `docs/spec/reconcile.md#claim: finalizer: in the same write`. Throws where the table has no such row.
 */
export function rowTitle(citation: string, name: string, what: string): string {
  const names = specRows(citation).map((row) => row.name);
  if (!names.includes(name)) throw new Error(`${citation} has no row "${name}"; it has ${names.join(', ')}`);
  return `${citation}: ${name}: ${what}`;
}

function read(citation: string): SpecRow[] {
  const [file, anchor] = citation.split('#');
  const section = sectionsOf(readFileSync(join(root, file!), 'utf8')).find((candidate) => candidate.anchor === anchor);
  if (!section) throw new Error(`${citation}: there is no such heading`);
  const start = section.lines.findIndex((line) => /^\| Row \|/.test(line));
  if (start < 0) throw new Error(`${citation}: there is no table whose first column is "Row"`);
  const lines = section.lines.slice(start);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const [header, , ...body] = lines.slice(0, end < 0 ? lines.length : end).map(cellsOf);
  const column = header!.indexOf('ASO');
  return body.map((cells) => ({ name: cells[0]!.replaceAll('`', ''), ...(column < 0 ? {} : { aso: cells[column] }) }));
}

/** The cells of a line of a table; a bar within code or behind a backslash separates nothing. */
function cellsOf(line: string): string[] {
  const cells = line.replace(/\\\||`[^`]*`/g, (text) => text.replaceAll('|', '\u0000')).split('|').slice(1, -1);
  return cells.map((cell) => cell.replaceAll('\u0000', '|').trim());
}

type Check = () => unknown;

/** Declares a test of a row: its name, what is asserted, and the check. Several checks of a row are several tests. */
export type Row = (name: string, what: string, check: Check) => void;

/**
 * The tests of one table of the specification. `(better: …)` in a title says where the controller differs from Azure Service Operator on
 * purpose. A row without a test fails, and so does a test of a row that the table does not have.
 */
export function table(citation: string, define: (row: Row) => void): void {
  const tested = new Set<string>();
  describe(citation, () => {
    define((name, what, check) => {
      tested.add(name);
      test(rowTitle(citation, name, what), async () => void (await check()));
    });
    test(`${citation}: each row has a test`, () => {
      expect([...tested].sort()).toEqual(specRows(citation).map(({ name }) => name).sort());
    });
  });
}
