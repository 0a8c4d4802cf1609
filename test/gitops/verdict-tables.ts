import { documents } from '../docs/documents';
import { sectionsOf } from '../docs/headings';

const DOCUMENT = 'docs/gitops.md';

/** A row of a table of docs/gitops.md: the columns by their titles, without the marks of Markdown. */
export type VerdictRow = Readonly<Record<string, string>>;

/** The rows of the table under a heading of docs/gitops.md. */
export function verdictRows(anchor: string): VerdictRow[] {
  const section = sectionsOf(documents.get(DOCUMENT)!).find((candidate) => candidate.anchor === anchor)!;
  const [header, , ...rows] = section.lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, column) => [header![column]!, cell])));
}

/** The names in code marks of a column of a table: `docs/spec/conditions.md#reasons`. */
export function codesIn(citation: string, column: number): string[] {
  const [document, anchor] = citation.split('#') as [string, string];
  const section = sectionsOf(documents.get(document)!).find((candidate) => candidate.anchor === anchor)!;
  return section.lines.filter((line) => line.startsWith('| ')).flatMap((line) => namesIn(line.split('|')[column]!));
}

/** `A` and `B` of "`A` `B`". */
export function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([A-Za-z0-9]+)`/g)].map(([, name]) => name!);
}

function cellsOf(line: string): string[] {
  return line.split('|').slice(1, -1).map((cell) => cell.trim().replaceAll('**', ''));
}
